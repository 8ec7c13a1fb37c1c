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
import { usual } from '../../kinds/usual.ts'

export const userOperations = {
  ...usual('silo_user', {
    item: CurrentUser,
    id: 'current_user',
    path: '/v1/me',
    tag: 'current-user',
    permission: 'session',
  })({
    view: { summary: 'Show the signed-in user', evenIfLimited: true },
    groups: {
      route: 'GET groups',
      summary: 'List the groups of the signed-in user',
      pages: Group,
      sort: 'id',
      evenIfLimited: true,
    },
  }),
  ...usual('silo_user', { item: User, id: 'user', path: '/v1/users/{user_id}', tag: 'silos' })({
    list: {
      summary: "List the users of the caller's silo",
      permission: { silo_user: 'list', silo_group: 'read' },
      query: { group: uuid.nullable().optional() },
      sort: 'id',
    },
    view: { summary: "Show a user of the caller's silo" },
  }),
  ...usual('silo_user', {
    item: User,
    path: '/v1/system/users/{user_id}',
    tag: 'system/silos',
    selectors: ['silo'],
  })({
    list: {
      summary: 'List the users of a silo',
      permission: { silo: 'read', silo_user: 'list' },
      sort: 'id',
    },
    view: { summary: 'Show a user of a silo', query: { silo: NameOrId } },
  }),
  ...usual('silo_user', {
    item: User,
    id: 'local_idp_user',
    path: '/v1/system/identity-providers/local/users/{user_id}',
    tag: 'system/silos',
    selectors: ['silo'],
  })({
    create: {
      summary: 'Create a user who signs in with a password',
      permission: { silo: 'read', silo_user: 'create' },
      body: UserCreate,
      // Hashing a password takes too long for a transaction.
      transaction: 'own',
    },
    delete: {
      summary: 'Delete a user who signs in with a password',
      permission: { silo: 'read', silo_user: 'modify' },
      query: { silo: NameOrId },
    },
    set_password: {
      route: 'POST set-password',
      summary: 'Set or remove the password of a user',
      permission: { silo: 'read', silo_user: 'modify' },
      query: { silo: NameOrId },
      body: UserPassword,
      transaction: 'own',
      success: { status: 204 },
    },
  }),
  ...usual('silo_user', { id: 'user', path: '/v1/users/{user_id}' })({
    details_list: {
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
      },
      sort: { kind: 'User', columns: ['name'] },
      answer: UserDetailsResultsPage,
    },
    details_view: {
      route: 'GET',
      extension: true,
      summary: 'Show a user with details for administrators',
      permission: { silo: 'read', silo_user: 'modify' },
      answer: UserDetails,
    },
    group_list: {
      route: 'GET groups',
      extension: true,
      summary: 'List the groups of a user',
      pages: Group,
      sort: 'id',
    },
    ssh_key_list: {
      route: 'GET ssh-keys',
      extension: true,
      summary: 'List the SSH keys of a user',
      pages: SshKey,
    },
  }),
}
