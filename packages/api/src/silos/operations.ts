import type { Operation } from '../operation.ts'
import { paged } from '../paging.ts'
import { NameOrId } from '../schema.ts'
import { Silo, SiloResultsPage } from './schemas.ts'

const tags = ['system/silos']

export const siloOperations = {
  silo_list: {
    method: 'GET',
    path: '/v1/system/silos',
    tags,
    summary: 'List the discoverable silos',
    permission: { fleet: 'list' },
    ...paged('name_or_id'),
    success: { status: 200, schema: SiloResultsPage },
  },
  silo_view: {
    method: 'GET',
    path: '/v1/system/silos/{silo}',
    tags,
    summary: 'Show a silo',
    permission: { silo: 'read' },
    params: { silo: NameOrId },
    success: { status: 200, schema: Silo },
  },
} as const satisfies Record<string, Operation>
