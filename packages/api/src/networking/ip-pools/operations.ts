import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { NameOrId } from '../../schema.ts'
import { IpPoolType, IpVersion, SiloIpPool, SiloIpPoolResultsPage } from './schemas.ts'

export const ipPoolOperations = {
  ip_pool_list: {
    method: 'GET',
    path: '/v1/ip-pools',
    tags: ['ip-pools'],
    summary: "List the IP pools linked to the caller's silo",
    permission: { ip_pool: 'list' },
    ...paged('name_or_id', {
      ip_version: IpVersion.optional(),
      pool_type: IpPoolType.optional(),
    }),
    success: { status: 200, schema: SiloIpPoolResultsPage },
  },
  ip_pool_view: {
    method: 'GET',
    path: '/v1/ip-pools/{pool}',
    tags: ['ip-pools'],
    summary: "Show an IP pool linked to the caller's silo",
    permission: { ip_pool: 'read' },
    params: { pool: NameOrId },
    success: { status: 200, schema: SiloIpPool },
  },
} as const satisfies Record<string, Operation>
