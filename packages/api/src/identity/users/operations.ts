import { GroupResultsPage } from '../groups/schemas.ts'
import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { commaSeparated, NameOrId, uuid } from '../../schema.ts'
import { SearchText } from '../../searched.ts'
import { secondFactorWords } from '../second-factors/rules.ts'
import { SshKeyResultsPage } from '../ssh-keys/schemas.ts'
import {
  CurrentUser,
  User,
  UserCreate,
  UserDetails,
  UserDetailsResultsPage,
  UserPassword,
  UserResultsPage,
} from './schemas.ts'

const ofSilos = ['system/silos']
const extensions = ['extensions']

const silo_user_list = {
  method: 'GET',
  path: '/v1/system/users',
  tags: ofSilos,
  summary: 'List the users of a silo',
  permission: { silo: 'read', silo_user: 'list' },
  ...paged('id', { silo: NameOrId.optional() }, ['silo']),
  success: { status: 200, schema: UserResultsPage },
} as const satisfies Operation

export const userOperations = {
  current_user_view: {
    method: 'GET',
    path: '/v1/me',
    tags: ['current-user'],
    summary: 'Show the signed-in user',
    permission: 'session',
    evenIfLimited: true,
    success: { status: 200, schema: CurrentUser },
  },
  current_user_groups: {
    method: 'GET',
    path: '/v1/me/groups',
    tags: ['current-user'],
    summary: 'List the groups of the signed-in user',
    permission: 'session',
    evenIfLimited: true,
    ...paged('id'),
    success: { status: 200, schema: GroupResultsPage },
  },
  user_list: {
    method: 'GET',
    path: '/v1/users',
    tags: ['silos'],
    summary: "List the users of the caller's silo",
    permission: { silo_user: 'list', silo_group: 'read' },
    ...paged('id', { group: uuid.nullable().optional() }),
    success: { status: 200, schema: UserResultsPage },
  },
  user_view: {
    method: 'GET',
    path: '/v1/users/{user_id}',
    tags: ['silos'],
    summary: "Show a user of the caller's silo",
    permission: { silo_user: 'read' },
    params: { user_id: uuid },
    success: { status: 200, schema: User },
  },
  silo_user_list,
  silo_user_view: {
    method: 'GET',
    path: '/v1/system/users/{user_id}',
    tags: ofSilos,
    summary: 'Show a user of a silo',
    permission: { silo_user: 'read' },
    params: { user_id: uuid },
    query: { silo: NameOrId },
    success: { status: 200, schema: User },
  },
  local_idp_user_create: {
    method: 'POST',
    path: '/v1/system/identity-providers/local/users',
    tags: ofSilos,
    summary: 'Create a user who signs in with a password',
    permission: { silo: 'read', silo_user: 'create' },
    query: { silo: NameOrId },
    body: UserCreate,
    // Hashing a password takes too long for a transaction.
    transaction: 'own',
    success: { status: 201, schema: User },
  },
  local_idp_user_delete: {
    method: 'DELETE',
    path: '/v1/system/identity-providers/local/users/{user_id}',
    tags: ofSilos,
    summary: 'Delete a user who signs in with a password',
    permission: { silo: 'read', silo_user: 'modify' },
    params: { user_id: uuid },
    query: { silo: NameOrId },
    success: { status: 204 },
  },
  local_idp_user_set_password: {
    method: 'POST',
    path: '/v1/system/identity-providers/local/users/{user_id}/set-password',
    tags: ofSilos,
    summary: 'Set or remove the password of a user',
    permission: { silo: 'read', silo_user: 'modify' },
    params: { user_id: uuid },
    query: { silo: NameOrId },
    body: UserPassword,
    transaction: 'own',
    success: { status: 204 },
  },
  user_details_list: {
    method: 'GET',
    path: '/x/v1/users',
    tags: extensions,
    summary: "Search the users of a silo, by default the caller's, with details for administrators",
    permission: { silo: 'read', silo_user: 'modify', silo_group: 'read' },
    ...paged(
      { kind: 'User', columns: ['name'] },
      {
        silo: NameOrId.optional(),
        search: SearchText.optional(),
        group: uuid.optional(),
        /** Users with one of these second factors, or without. */
        second_factor: commaSeparated(secondFactorWords).optional(),
      },
    ),
    success: { status: 200, schema: UserDetailsResultsPage },
  },
  user_details_view: {
    method: 'GET',
    path: '/x/v1/users/{user_id}',
    tags: extensions,
    summary: 'Show a user with details for administrators',
    permission: { silo: 'read', silo_user: 'modify' },
    params: { user_id: uuid },
    success: { status: 200, schema: UserDetails },
  },
  user_group_list: {
    method: 'GET',
    path: '/x/v1/users/{user_id}/groups',
    tags: extensions,
    summary: 'List the groups of a user',
    permission: { silo_user: 'read' },
    params: { user_id: uuid },
    ...paged('id'),
    success: { status: 200, schema: GroupResultsPage },
  },
  user_ssh_key_list: {
    method: 'GET',
    path: '/x/v1/users/{user_id}/ssh-keys',
    tags: extensions,
    summary: 'List the SSH keys of a user',
    permission: { silo_user: 'read' },
    params: { user_id: uuid },
    ...paged('name_or_id'),
    success: { status: 200, schema: SshKeyResultsPage },
  },
} as const satisfies Record<string, Operation>
