import { fillingIssues } from '../pools/issues.ts'

const filling = fillingIssues(
  'Subnet pool',
  ['system_subnet_pool', 'external_subnet'],
  (pool) => `/system/networking/subnet-pools/${pool}`,
  'Add a member',
)

export const subnetPoolIssues = {
  subnet_pool_full: filling.full,
  subnet_pool_nearly_full: filling.nearlyFull,
}
