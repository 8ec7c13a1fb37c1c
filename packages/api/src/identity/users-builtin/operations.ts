import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId } from '../../schema.ts'
import { UserBuiltin, UserBuiltinResultsPage } from './schemas.ts'

const tags = ['system/silos']

export const userBuiltinOperations = {
  user_builtin_list: {
    method: 'GET',
    path: '/v1/system/users-builtin',
    tags,
    summary: 'List the built-in users',
    permission: { fleet: 'read' },
    ...paged('name'),
    success: { status: 200, schema: UserBuiltinResultsPage },
  },
  user_builtin_view: {
    method: 'GET',
    path: '/v1/system/users-builtin/{user}',
    tags,
    summary: 'Show a built-in user',
    permission: { fleet: 'read' },
    params: { user: NameOrId },
    success: { status: 200, schema: UserBuiltin },
  },
} as const satisfies Record<string, Operation>
