import { IpPoolType, IpVersion, SiloIpPool } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const limits = { ip_version: IpVersion.optional(), pool_type: IpPoolType.optional() }

export const ipPoolOperations = {
  ...usual('ip_pool', { item: SiloIpPool, path: '/v1/ip-pools/{pool}' })({
    ip_pool_list: { summary: "List the IP pools linked to the caller's silo", query: limits },
    ip_pool_view: { summary: "Show an IP pool linked to the caller's silo" },
  }),
  ...usual('ip_pool', {
    item: SiloIpPool,
    id: 'project_ip_pool',
    path: '/x/v1/projects/{project}/ip-pools/{pool}',
  })({
    project_ip_pool_list: {
      summary: 'List the IP pools from which a project may allocate',
      permission: { project: 'list' },
      query: limits,
    },
  }),
}
