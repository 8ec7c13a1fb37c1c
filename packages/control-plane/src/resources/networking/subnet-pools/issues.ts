import type { Finder } from '../../../kernel/issues.ts'
import { fillingIssues } from '../pools/issues.ts'
import { subnetPoolUses } from './utilization.ts'

const kinds = { full: 'subnet_pool_full', nearlyFull: 'subnet_pool_nearly_full' } as const

export const subnetPoolIssues: Finder = async ({ db }) => {
  const pools = await db
    .selectFrom('subnet_pool')
    .select(['id', 'name', 'ip_version'])
    .where('time_deleted', 'is', null)
    .execute()
  return fillingIssues(pools, await subnetPoolUses(db, pools), kinds)
}
