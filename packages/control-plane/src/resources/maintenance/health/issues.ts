/** Faults of the database that this server has met. */
import { REPLICATION_FAULT_AFTER_MS } from '@steading/api/rules'
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
