import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { seenIn, unusedSleds } from '../hardware/unused-hardware.ts'

/** Sleds that do not respond, or are expunged and still present. The issue of a host has a reason. */
export const sledsInTrouble: Finder = async ({ db, services: { enrolment } }) => {
  const rows = await db
    .selectFrom('sled')
    .select(['id', 'name as serial', 'policy', 'time_modified'])
    .where('state', '=', 'active')
    .where((eb) => eb.or([eb('policy', '=', 'expunged'), eb('responding', '=', 0)]))
    .orderBy('time_modified')
    .limit(2 * ISSUE_ROWS)
    .execute()
  if (rows.length === 0) return []
  const hosts = await rowsOf(db, 'host')
    .select(['its.id', 'its.name', 'its.serial'])
    .where('its.state', '=', 'in_service')
    .where(
      'its.serial',
      'in',
      rows.map(({ serial }) => serial),
    )
    .execute()
  const hostOf = new Map(hosts.map((host) => [host.serial, host]))
  return rows.map(({ policy, time_modified: since, ...sled }) => {
    if (policy === 'expunged') return issue('sled_expunged', sled.id, since, sled)
    const host = hostOf.get(sled.serial)
    if (!host) return issue('sled_not_responding', sled.id, since, sled)
    // Only the server that calls the host knows more.
    const reason = enrolment?.connection(sled.serial)?.reason ?? 'it does not answer'
    return issue('host_unreachable', host.id, since, { id: host.id, host: host.name, reason })
  })
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
