import { fillingIssues } from '../pools/issues.ts'

const filling = fillingIssues(
  'IP pool',
  ['system_ip_pool', 'floating_ip', 'instance', 'multicast_group', 'probe'],
  (pool) => `/system/networking/ip-pools/${pool}`,
  'Add a range',
)

export const ipPoolIssues = {
  ip_pool_full: filling.full,
  ip_pool_nearly_full: filling.nearlyFull,
}
