/** Compares what the hosts of uplinks should have with what the rows say. */
import type { Db, OpenDatabase } from '../../../kernel/db/database.ts'
import type { Uplinks } from '../../../kernel/ports/uplinks.ts'
import type { Log } from '../../../kernel/settings.ts'
import { createTask, type Task } from '../../../kernel/task.ts'
import { notApplied, planRows } from '../../networking/applied-networks/rows.ts'
import { uplinkConfiguration } from './configuration.ts'
import { hostProblems } from './table.ts'

/**
 * Gives each host a row with the digest of its configuration, and makes those due for which it has
 * changed. Rows of hosts that this server does not know belong to others.
 * @returns whether any row is due
 */
export async function planUplinks(
  db: Db,
  now: Date,
  hosts: NonNullable<Uplinks['hosts']>,
): Promise<boolean> {
  if (hosts.names.length === 0) return false
  const planned = await db
    .selectFrom('uplink_host')
    .select(['id', 'wanted', 'generation'])
    .where('id', 'in', hosts.names)
    .execute()
  const configuration = await uplinkConfiguration(db)
  const wanted = hosts.names.map((id) => ({
    ...notApplied,
    id,
    wanted: hosts.wanted(id, configuration),
    found: null,
    problems: hostProblems.write([]),
  }))
  return planRows(db, now, { table: 'uplink_host', planned, wanted })
}

/** Changes of a burst are planned together. Milliseconds. */
const BURST_MS = 20

/**
 * Plans again after each change of this process to the tables from which uplinks derive. Changes by
 * other servers are planned by them, and found by the resync.
 */
export function createUplinkPlanner(parts: {
  database: OpenDatabase
  hosts: NonNullable<Uplinks['hosts']>
  clock: () => Date
  log: Log
  wake: () => void
}): Task {
  const { database, hosts, clock, log, wake } = parts
  const task = createTask(
    { clock, log },
    { name: 'planning the uplinks', every: Infinity },
    async () => {
      if (await planUplinks(database.db, clock(), hosts)) wake()
    },
  )
  void task.start()
  database.watch(
    {
      switch_port: ['port_settings_id'],
      switch_port_settings: ['document'],
      bgp_peer: [],
      bgp_config: ['bgp_announce_set_id', 'max_paths'],
      bgp_announcement: [],
      bfd_session: [],
      loopback_address: [],
    },
    () => task.soon(BURST_MS),
  )
  return task
}
