/** Compares the networks that machines should have with those that the rows say. */
import type { Db, OpenDatabase } from '../../../kernel/db/database.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import type { Log } from '../../../kernel/settings.ts'
import { createTask, type Task } from '../../../kernel/task.ts'
import { idsIn } from '../../../kernel/db/rows.ts'
import { notApplied, planRows } from '../applied-networks/rows.ts'
import { deriveNetworks } from './derive.ts'
import { endpoints, networkNeedList, desiredNetwork } from './table.ts'

/** The instances that have a machine. */
const machinesOf = (db: Db) =>
  rowsOf(db, 'instance')
    .select(['its.id', 'its.vm_id', 'its.project_id'])
    .where('its.vm_id', 'is not', null)
    .orderBy('its.id')
    .execute()

/**
 * Gives each machine a row with the present network, and makes the rows due that have changed or
 * whose machine is gone.
 * @returns whether any row is due
 */
export async function planNetworks(db: Db, now: Date): Promise<boolean> {
  const planned = await db
    .selectFrom('instance_network')
    .select(['id', 'wanted', 'generation'])
    .execute()
  const machines = await machinesOf(db)
  const derived = await deriveNetworks(db, idsIn(machines))
  const wanted = machines.map(({ id: instance_id, vm_id, project_id }) => ({
    ...notApplied,
    id: vm_id!,
    instance_id,
    project_id,
    wanted: desiredNetwork.write(derived.get(instance_id)!),
    endpoints: endpoints.write([]),
    direct: 0 as const,
    measured: 0 as const,
    not_enforced: networkNeedList.write([]),
  }))
  return planRows(db, now, { table: 'instance_network', planned, wanted })
}

/** Changes of a burst are planned together. Milliseconds. */
const BURST_MS = 20

/**
 * Plans again after each change of this process to the tables that networks derive from. Changes by
 * other servers are planned by them, and found by the resync.
 */
export function createNetworkPlanner(
  database: OpenDatabase,
  clock: () => Date,
  log: Log,
  wake: () => void,
): Task {
  const task = createTask(
    { clock, log },
    { name: 'planning the networks of machines', every: Infinity },
    async () => {
      if (await planNetworks(database.db, clock())) wake()
    },
  )
  void task.start()
  database.watch(
    {
      instance: ['vm_id', 'name'],
      network_interface: ['is_primary', 'ipv4', 'ipv6'],
      external_ip: ['instance_id'],
      vpc_firewall_rule: ['time_deleted'],
      vpc_subnet: ['name'],
      vpc: ['name'],
    },
    () => task.soon(BURST_MS),
  )
  return task
}
