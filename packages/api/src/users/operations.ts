import { GroupResultsPage } from '../groups/schemas.ts'
import type { Operation } from '../operation.ts'
import { paged } from '../paging.ts'
import { uuid } from '../schema.ts'
import { CurrentUser, User, UserResultsPage } from './schemas.ts'

export const userOperations = {
  current_user_view: {
    method: 'GET',
    path: '/v1/me',
    tags: ['current-user'],
    summary: 'Show who is signed in',
    permission: 'session',
    success: { status: 200, schema: CurrentUser },
  },
  current_user_groups: {
    method: 'GET',
    path: '/v1/me/groups',
    tags: ['current-user'],
    summary: 'List the groups of the signed-in user',
    permission: 'session',
    ...paged('id'),
    success: { status: 200, schema: GroupResultsPage },
  },
  user_list: {
    method: 'GET',
    path: '/v1/users',
    tags: ['silos'],
    summary: 'List the users of the own silo',
    permission: { silo_user: 'list', silo_group: 'read' },
    ...paged('id', { group: uuid.nullable().optional() }),
    success: { status: 200, schema: UserResultsPage },
  },
  user_view: {
    method: 'GET',
    path: '/v1/users/{user_id}',
    tags: ['silos'],
    summary: 'Show a user of the own silo',
    permission: { silo_user: 'read' },
    params: { user_id: uuid },
    success: { status: 200, schema: User },
  },
} as const satisfies Record<string, Operation>
