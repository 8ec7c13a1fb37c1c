import type { Selectable } from 'kysely'
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import { findRow } from '../../../kernel/db/rows.ts'
import type { VpcNetworks } from '../../../kernel/ports/vpc-networks.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import { writingIn } from '../../../kernel/work.ts'
import { compareRows } from '../applied-networks/rows.ts'
import { desiredNetworkOf } from './desired.ts'
import { planVpcNetworks } from './plan.ts'
import type { VpcNetworkTable } from './table.ts'

interface NetworkParts {
  database: OpenDatabase
  vpcNetworks: VpcNetworks
  clock: () => Date
}
type NetworkRow = Selectable<VpcNetworkTable>
type NetworkStep = Step<'vpc_network'> & NetworkParts

/** Removes the network of a VPC that is gone; it gets another one if it is restored. */
async function remove({ database, vpcNetworks, end }: NetworkStep, row: NetworkRow): Promise<void> {
  await vpcNetworks.remove(row.id)
  await database.concurrently(async (tx) => {
    await end(tx, null)
    await tx.deleteFrom('vpc_network').where('id', '=', row.id).execute()
  })
}

/** Applies the present rows, which may be newer than those that were planned. */
async function reconcileNetwork(step: NetworkStep, row: NetworkRow): Promise<void> {
  const { database, vpcNetworks, now } = step
  const desired = await desiredNetworkOf(database.db, row.id)
  if (!desired) return remove(step, row)
  const { digest, ...network } = desired
  const { version } = await vpcNetworks.apply({ vpcId: row.id, version: row.fence, ...network })
  if (version !== row.fence) {
    // The engine is ahead of a database that was restored. After another server's claim this throws.
    const values = { fence: version }
    await database.concurrently((tx) => step.end(tx, now, { values, unchanged: {} }))
    return
  }
  const vpc = await findRow(database.db, 'vpc', row.id)
  await database.concurrently(async (tx) => {
    const values = {
      applied: digest,
      applied_version: version,
      time_applied: now.toISOString(),
      // Otherwise a plan that comes after the next change, back to what was wanted, would see none.
      wanted: digest,
    }
    const unchanged = { generation: row.generation }
    if (!(await step.end(tx, null, { values, unchanged }))) return
    if (vpc) await writingIn(tx, now).emit('vpc', 'update', vpc)
  })
}

/**
 * Plans for changes that no server noticed, removes networks without a row, and makes those due that
 * the engine has lost.
 */
async function resync({ database: { db }, vpcNetworks, clock }: NetworkParts): Promise<void> {
  await planVpcNetworks(db, clock())
  const there = await vpcNetworks.list()
  const versions = new Map(there.map(({ vpcId, version }) => [vpcId, version]))
  await compareRows(db, 'vpc_network', versions, vpcNetworks.remove)
}

export const vpcNetworkReconciliation = (parts: NetworkParts): Reconciliation<'vpc_network'> => ({
  table: 'vpc_network',
  reconcile: (step, row) => reconcileNetwork({ ...step, ...parts }, row),
  resync: () => resync(parts),
})
