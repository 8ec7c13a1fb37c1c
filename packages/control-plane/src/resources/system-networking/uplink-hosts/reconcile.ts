import type { Selectable } from 'kysely'
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import type { UplinkHosts } from '../../../kernel/ports/uplinks.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import { uplinkConfiguration } from './configuration.ts'
import { planUplinks } from './plan.ts'
import { hostProblems, type UplinkHostTable } from './table.ts'

/** Milliseconds until a host is looked at again, because others may have changed it. */
const LOOK_MS = 60_000

interface UplinkParts {
  database: OpenDatabase
  hosts: UplinkHosts
  clock: () => Date
}
type HostRow = Selectable<UplinkHostTable>

/** Configures a host by the present rows, which may be newer than those that were planned. */
async function reconcileHost(step: Step<'uplink_host'> & UplinkParts, row: HostRow): Promise<void> {
  const { database, hosts, clock } = step
  const later = () => new Date(clock().getTime() + LOOK_MS)
  // Another server knows this host, or it is no longer one of the uplinks.
  if (!hosts.names.includes(row.id)) return step.end(database.db, later())
  const configuration = await uplinkConfiguration(database.db)
  const applied = hosts.wanted(row.id, configuration)
  const known = row.applied === applied ? (row.found ?? undefined) : undefined
  const { found, problems, changed } = await hosts.apply(row.id, configuration, known)
  await step.end(database.db, later(), {
    values: {
      applied,
      found,
      problems: hostProblems.write([...problems]),
      ...(changed && { applied_version: row.fence, time_applied: clock().toISOString() }),
    },
    unchanged: {},
  })
}

export const uplinkReconciliation = (parts: UplinkParts): Reconciliation<'uplink_host'> => ({
  table: 'uplink_host',
  reconcile: (step, row) => reconcileHost({ ...step, ...parts }, row),
  async resync() {
    await planUplinks(parts.database.db, parts.clock(), parts.hosts)
  },
})
