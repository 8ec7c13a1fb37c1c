import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId } from '../../schema.ts'
import { SiloUtilization, SiloUtilizationResultsPage, Utilization } from './schemas.ts'

export const utilizationOperations = {
  utilization_view: {
    method: 'GET',
    path: '/v1/utilization',
    tags: ['silos'],
    summary: "Show the utilization of the caller's silo",
    permission: { silo: 'read' },
    success: { status: 200, schema: Utilization },
  },
  silo_utilization_list: {
    method: 'GET',
    path: '/v1/system/utilization/silos',
    tags: ['system/silos'],
    summary: 'List the utilization of each discoverable silo',
    permission: { fleet: 'list' },
    ...paged('name_or_id'),
    success: { status: 200, schema: SiloUtilizationResultsPage },
  },
  silo_utilization_view: {
    method: 'GET',
    path: '/v1/system/utilization/silos/{silo}',
    tags: ['system/silos'],
    summary: 'Show the utilization of a silo',
    permission: { silo: 'read' },
    params: { silo: NameOrId },
    success: { status: 200, schema: SiloUtilization },
  },
} as const satisfies Record<string, Operation>
