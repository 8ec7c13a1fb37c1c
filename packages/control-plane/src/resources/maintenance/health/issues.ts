/** Faults of the database that this server has met, and of the machines of servers. */
import { REPLICATION_FAULT_AFTER_MS } from '@steading/api/rules'
import { wrongClocks } from '../../../kernel/db/server-clocks.ts'
import { type Finder, issue } from '../../../kernel/issues.ts'

export const healthIssues: Finder = async ({ services }) => {
  const damage = services.outages.damage()
  if (!damage) return []
  const [finding = ''] = damage.findings
  return [issue('database_damaged', 'database', damage.since.toISOString(), { finding })]
}

export const replicationIssues: Finder = async ({ services: { database } }) => {
  const found = await database.replication?.()
  if (!found || found.forMs < REPLICATION_FAULT_AFTER_MS) return []
  // Each server has its own time of the beginning.
  return [issue('database_replication', 'database', null, found.facts)]
}

export const clockIssues: Finder = async ({ db, now }) =>
  (await wrongClocks(db, now)).map(({ id, seconds_ahead, time_began }) =>
    issue('server_clock_apart', id, time_began, { server: id, seconds: seconds_ahead }),
  )
