import { Group } from '../groups/schemas.ts'
import { commaSeparated, NameOrId, uuid } from '../../schema.ts'
import { SearchText } from '../../searched.ts'
import { secondFactorWords } from '../second-factors/rules.ts'
import { SshKey } from '../ssh-keys/schemas.ts'
import {
  CurrentUser,
  User,
  UserCreate,
  UserDetails,
  UserDetailsResultsPage,
  UserPassword,
} from './schemas.ts'
import { userStates } from '../user-links/rules.ts'
import { usual } from '../../kinds/usual.ts'

export const userOperations = {
  ...usual('silo_user', { item: User, id: 'user', path: '/v1/users/{user_id}', tag: 'silos' })({
    current_user_view: {
      route: 'GET /v1/me',
      tags: ['current-user'],
      summary: 'Show the signed-in user',
      permission: 'session',
      evenIfLimited: true,
      answer: CurrentUser,
    },
    current_user_groups: {
      route: 'GET /v1/me/groups',
      tags: ['current-user'],
      summary: 'List the groups of the signed-in user',
      permission: 'session',
      pages: Group,
      sort: 'id',
      evenIfLimited: true,
    },
    user_list: {
      summary: "List the users of the caller's silo",
      permission: { silo_user: 'list', silo_group: 'read' },
      query: { group: uuid.nullable().optional() },
      sort: 'id',
    },
    user_view: { summary: "Show a user of the caller's silo" },
  }),
  ...usual('silo_user', {
    item: User,
    path: '/v1/system/users/{user_id}',
    tag: 'system/silos',
    selectors: ['silo'],
  })({
    silo_user_list: {
      summary: 'List the users of a silo',
      permission: { silo: 'read', silo_user: 'list' },
      sort: 'id',
    },
    silo_user_view: { summary: 'Show a user of a silo', query: { silo: NameOrId } },
  }),
  ...usual('silo_user', {
    item: User,
    id: 'local_idp_user',
    path: '/v1/system/identity-providers/local/users/{user_id}',
    tag: 'system/silos',
    selectors: ['silo'],
  })({
    local_idp_user_create: {
      summary: 'Create a user who signs in with a password',
      permission: { silo: 'read', silo_user: 'create' },
      body: UserCreate,
      // Hashing a password takes too long for a transaction.
      transaction: 'own',
    },
    local_idp_user_delete: {
      summary: 'Delete a user who signs in with a password',
      permission: { silo: 'read', silo_user: 'modify' },
      query: { silo: NameOrId },
      changes: ['console_session'],
    },
    local_idp_user_set_password: {
      route: 'POST set-password',
      summary: 'Set or remove the password of a user',
      permission: { silo: 'read', silo_user: 'modify' },
      query: { silo: NameOrId },
      body: UserPassword,
      transaction: 'own',
      success: { status: 204 },
      changes: ['console_session'],
    },
  }),
  ...usual('silo_user', { item: UserDetails, id: 'user', path: '/x/v1/users/{user_id}' })({
    user_details_list: {
      route: 'GET /x/v1/users',
      summary:
        "Search the users of a silo, by default the caller's, with details for administrators",
      permission: { silo: 'read', silo_user: 'modify', silo_group: 'read' },
      query: {
        silo: NameOrId.optional(),
        search: SearchText.optional(),
        group: uuid.optional(),
        /** Users with one of these second factors, or without. */
        second_factor: commaSeparated(secondFactorWords).optional(),
        /** Users in one of these states. */
        state: commaSeparated(userStates).optional(),
      },
      sort: { kind: 'User', columns: ['name'] },
      answer: UserDetailsResultsPage,
    },
    user_details_view: {
      route: 'GET',
      summary: 'Show a user with details for administrators',
      permission: { silo: 'read', silo_user: 'modify' },
    },
    user_group_list: {
      route: 'GET groups',
      summary: 'List the groups of a user',
      pages: Group,
      sort: 'id',
    },
    user_ssh_key_list: {
      route: 'GET ssh-keys',
      summary: 'List the SSH keys of a user',
      pages: SshKey,
    },
  }),
}
