import { IpPoolType, IpVersion, SiloIpPool } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const ipPoolOperations = usual('ip_pool', { item: SiloIpPool, path: '/v1/ip-pools/{pool}' })(
  {
    ip_pool_list: {
      summary: "List the IP pools linked to the caller's silo",
      query: { ip_version: IpVersion.optional(), pool_type: IpPoolType.optional() },
    },
    ip_pool_view: { summary: "Show an IP pool linked to the caller's silo" },
  },
)
