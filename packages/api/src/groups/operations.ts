import type { Operation } from '../operation.ts'
import { paged } from '../paging.ts'
import { uuid } from '../schema.ts'
import { Group, GroupResultsPage } from './schemas.ts'

export const groupOperations = {
  group_list: {
    method: 'GET',
    path: '/v1/groups',
    tags: ['silos'],
    summary: 'List the groups of the own silo',
    permission: { silo_group: 'list' },
    ...paged('id'),
    success: { status: 200, schema: GroupResultsPage },
  },
  group_view: {
    method: 'GET',
    path: '/v1/groups/{group_id}',
    tags: ['silos'],
    summary: 'Show a group of the own silo',
    permission: { silo_group: 'read' },
    params: { group_id: uuid },
    success: { status: 200, schema: Group },
  },
} as const satisfies Record<string, Operation>
