import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'
import { rowsOf } from '../../../kernel/kinds.ts'

/** Pools that the server cannot use. */
export const unreachablePools: Finder = async ({ db }) => {
  const found = await rowsOf(db, 'storage_pool')
    .select(['its.id', 'its.name', 'its.problem'])
    .where('its.state', '=', 'unreachable')
    .orderBy('its.name')
    .limit(ISSUE_ROWS)
    .execute()
  return found.map(({ id, name, problem }) =>
    issue('storage_pool_unreachable', id, null, { pool: name, problem: problem ?? '' }),
  )
}
