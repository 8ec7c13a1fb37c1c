import { isMassFailure, leaseHoldMeanings } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'
import { knownCensus } from './census.ts'
import { leaseHoldOf } from './change.ts'
import { checkedColumn } from './table.ts'

const rows = (db: Db) =>
  db
    .selectFrom('host_fencing as its')
    .innerJoin('host', 'host.id', 'its.id')
    .selectAll('its')
    .select('host.name as host')
    .where('host.time_deleted', 'is', null)
    .orderBy('host.name')
    .limit(ISSUE_ROWS)

/** Hosts that are proven dead, and those for which their method proves nothing. */
export const fencedHosts: Finder = async ({ db }) => {
  const found = await rows(db)
    .where((eb) =>
      eb.or([
        eb('its.state', '=', 'fenced'),
        eb.and([eb('its.state', '=', 'fencing'), eb('its.failure', 'is not', null)]),
        // Leases that run out are waited for without an issue.
        eb.and([
          eb('its.state', '=', 'fencing'),
          eb('its.method', '=', 'leases'),
          eb('its.hold', '!=', 'running_out'),
        ]),
      ]),
    )
    .execute()
  return found.map((row) => {
    const { id, host, failure } = row
    if (row.state === 'fenced') {
      const byLeases = row.method === 'leases'
      return issue('host_fenced', id, row.time_since, { id, host, byLeases })
    }
    const hold = leaseHoldOf(row)
    const problem = failure ?? (hold ? leaseHoldMeanings[hold] : '')
    return issue('host_fencing_failed', id, row.time_failed ?? row.time_since, {
      id,
      host,
      problem,
    })
  })
}

/** Methods that would not work when they are needed. */
export const untestedFencing: Finder = async ({ db }) => {
  const found = await rows(db)
    .where('its.method', '!=', 'none')
    .where('its.state', 'in', ['idle', 'suspect'])
    .where('its.checked', 'like', '%"problem"%')
    .execute()
  return found.flatMap(({ id, host, checked, time_checked }) => {
    const answer = checkedColumn.read(checked!)
    if (!('problem' in answer)) return []
    return [issue('host_fencing_untested', id, time_checked, { id, host, problem: answer.problem })]
  })
}

/** Many hosts that do not answer at the same time; without hosts or with one, that says nothing. */
export const massFailures: Finder = async ({ db }) => {
  const { silent, count } = await knownCensus(db)
  if (count < 2 || !isMassFailure(silent, count)) return []
  return [issue('hosts_silent_at_once', 'all', null, { silent, count })]
}
