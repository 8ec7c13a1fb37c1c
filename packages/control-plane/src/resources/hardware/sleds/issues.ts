import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { seenIn, unusedSleds } from '../hardware/unused-hardware.ts'

/** Sleds that do not respond, or are expunged and still present. */
export const sledsInTrouble: Finder = async ({ db }) => {
  const rows = await db
    .selectFrom('sled')
    .select(['id', 'name as serial', 'policy', 'time_modified'])
    .where('state', '=', 'active')
    .where((eb) => eb.or([eb('policy', '=', 'expunged'), eb('responding', '=', 0)]))
    .orderBy('time_modified')
    .limit(2 * ISSUE_ROWS)
    .execute()
  return rows.map(({ policy, time_modified, ...sled }) =>
    issue(
      policy === 'expunged' ? 'sled_expunged' : 'sled_not_responding',
      sled.id,
      time_modified,
      sled,
    ),
  )
}

/** Sleds waiting to be added; those of hosts that join are about to be. */
export const sledsWaiting: Finder = async ({ db }) => {
  const joining = await rowsOf(db, 'host')
    .select('its.serial')
    .where('its.state', '=', 'joining')
    .execute()
  const isJoining = new Set(joining.map(({ serial }) => serial))
  let count = 0
  for (const rack of await db.selectFrom('rack').select('seen').execute()) {
    const waiting = await unusedSleds(db, seenIn(rack))
    count += waiting.filter(({ serial }) => !isJoining.has(serial)).length
  }
  return count > 0 ? [issue('sleds_waiting', 'all', null, { count })] : []
}
