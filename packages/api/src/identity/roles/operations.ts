import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { shortText } from '../../schema.ts'
import { Role, RoleResultsPage } from './schemas.ts'

const tags = ['roles']

export const roleOperations = {
  role_list: {
    method: 'GET',
    path: '/v1/system/roles',
    tags,
    summary: 'List all roles',
    permission: { fleet: 'read' },
    ...paged('none'),
    success: { status: 200, schema: RoleResultsPage },
  },
  role_view: {
    method: 'GET',
    path: '/v1/system/roles/{role_name}',
    tags,
    summary: 'Show a role',
    permission: { fleet: 'read' },
    params: { role_name: shortText },
    success: { status: 200, schema: Role },
  },
} as const satisfies Record<string, Operation>
