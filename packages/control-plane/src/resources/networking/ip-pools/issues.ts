import type { Finder } from '../../../kernel/issues.ts'
import { fillingIssues } from '../pools/issues.ts'
import { poolUses } from './utilization.ts'

const kinds = { full: 'ip_pool_full', nearlyFull: 'ip_pool_nearly_full' } as const

export const ipPoolIssues: Finder = async ({ db }) => {
  const pools = await db
    .selectFrom('ip_pool')
    .select(['id', 'name', 'ip_version', 'allocated'])
    .where('time_deleted', 'is', null)
    .where('allocated', '>', 0)
    .execute()
  return fillingIssues(pools, await poolUses(db, pools), kinds)
}
