import type { OpenDatabase } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { MachineNetworks } from '../../../kernel/ports/machine-networks.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import { writingIn } from '../../../kernel/work.ts'
import type { Selectable } from 'kysely'
import { compareRows } from '../applied-networks/rows.ts'
import { planNetworks } from './plan.ts'
import { endpoints, type InstanceNetworkTable, networkNeedList, desiredNetwork } from './table.ts'

interface NetworkParts {
  database: OpenDatabase
  networking: MachineNetworks
  clock: () => Date
}
type NetworkRow = Selectable<InstanceNetworkTable>
type NetworkStep = Step<'instance_network'> & NetworkParts

/** Interval at which a machine that is not up yet is tried again. Milliseconds. */
const POLL_MS = 1_000

/** The instance that runs as the machine of a row. */
const instanceOf = (
  { database: { db } }: NetworkStep,
  row: NetworkRow,
): Promise<Row<'instance'> | undefined> =>
  db
    .selectFrom('instance')
    .selectAll()
    .where('id', '=', row.instance_id)
    .where('vm_id', '=', row.id)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()

/** Removes the network of a machine that is gone. Machines do not come back. */
async function remove({ database, networking, end }: NetworkStep, row: NetworkRow): Promise<void> {
  await networking.remove(row.id)
  await database.concurrently(async (tx) => {
    await end(tx, null)
    await tx.deleteFrom('instance_network').where('id', '=', row.id).execute()
  })
}

async function reconcileNetwork(step: NetworkStep, row: NetworkRow): Promise<void> {
  const { database, networking, now } = step
  const instance = await instanceOf(step, row)
  if (!instance) return remove(step, row)
  const version = row.fence
  const status = await networking.apply({
    machineId: row.id,
    version,
    ...desiredNetwork.read(row.wanted),
  })
  if (status.version !== version) {
    return step.end(database.db, new Date(now.getTime() + POLL_MS))
  }
  const values = {
    applied: row.wanted,
    applied_version: version,
    time_applied: now.toISOString(),
    endpoints: endpoints.write(status.endpoints),
    direct: status.direct ? (1 as const) : (0 as const),
    measured: status.measured ? (1 as const) : (0 as const),
    not_enforced: networkNeedList.write(status.notEnforced),
  }
  await database.concurrently(async (tx) => {
    const unchanged = { generation: row.generation }
    if (!(await step.end(tx, null, { values, unchanged }))) return
    await writingIn(tx, now).emit('instance', 'update', instance)
  })
}

/**
 * Plans for changes that no server noticed, removes networks without a row, and makes those due that
 * the engine has lost.
 */
async function resync({ database: { db }, networking, clock }: NetworkParts): Promise<void> {
  await planNetworks(db, clock())
  const there = await networking.list()
  const versions = new Map(there.map(({ machineId, version }) => [machineId, version]))
  await compareRows(db, 'instance_network', versions, networking.remove)
}

export const instanceNetworkReconciliation = (
  parts: NetworkParts,
): Reconciliation<'instance_network'> => ({
  table: 'instance_network',
  reconcile: (step, row) => reconcileNetwork({ ...step, ...parts }, row),
  resync: () => resync(parts),
})
