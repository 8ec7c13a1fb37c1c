import {
  type MulticastMemberState,
  multicastMemberStates,
  desiredMulticastState,
} from '@steading/api/rules'
import type { Db, OpenDatabase } from '../../../kernel/db/database.ts'
import type { Multicast } from '../../../kernel/ports/multicast.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import { writingIn } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { giveBackAddress } from '../ip-pools/addresses.ts'
import { type GroupRow, sourcesOf } from './wire.ts'

interface MulticastParts {
  database: OpenDatabase
  multicast: Multicast
}
type GroupStep = Step<'multicast_group'> & MulticastParts

/** Milliseconds after which the engine is asked again whether a group is in effect. */
const AGAIN_MS = 500

/** Ids per statement; both databases accept more parameters. */
const CHUNK = 1000

/** The members of a group, each with its desired state. */
async function membersOf(db: Db, groupId: string) {
  const rows = await db
    .selectFrom('multicast_group_member as member')
    .innerJoin('instance', 'instance.id', 'member.instance_id')
    .select([
      'member.id',
      'member.source_ips',
      'member.state',
      'instance.run_state',
      'instance.vm_id',
    ])
    .where('member.group_id', '=', groupId)
    .execute()
  return rows.map((row) => {
    const wanted = desiredMulticastState(row.run_state)
    const receives = wanted === 'Joined' && row.vm_id !== null
    return { ...row, wanted: wanted === 'Joined' && !receives ? ('Left' as const) : wanted }
  })
}
type Members = Awaited<ReturnType<typeof membersOf>>

/**
 * Records the states of members.
 * @returns whether any has changed
 */
async function writeStates(db: Db, members: Members, now: Date): Promise<boolean> {
  const to = (state: MulticastMemberState) =>
    members.filter((member) => member.wanted === state && member.state !== state)
  let any = false
  for (const state of multicastMemberStates) {
    const ids = to(state).map(({ id }) => id)
    for (let at = 0; at < ids.length; at += CHUNK) {
      any = true
      await db
        .updateTable('multicast_group_member')
        .set({ state, time_modified: now.toISOString() })
        .where('id', 'in', ids.slice(at, at + CHUNK))
        .execute()
    }
  }
  return any
}

/** Removes a group without members, and gives its address back. */
async function remove(step: GroupStep, row: GroupRow): Promise<void> {
  await step.multicast.remove(row.id)
  await step.database.transaction(async (tx) => {
    const unchanged = { generation: row.generation }
    // An instance that joined meanwhile keeps the group.
    if (!(await step.end(tx, null, { values: { state: 'Deleting' }, unchanged }))) return
    await tx.deleteFrom('multicast_group').where('id', '=', row.id).execute()
    await giveBackAddress(tx, row.ip_pool_id, row.ip_key)
    await writingIn(tx, step.now).emit('multicast_group', 'delete', row)
  })
}

/** Makes the engine deliver to the members whose instances run, and records that. */
async function reconcileGroup(step: GroupStep, row: GroupRow): Promise<void> {
  const { database, multicast, now } = step
  const members = await membersOf(database.db, row.id)
  if (members.length === 0) return remove(step, row)
  const isInEffect = await multicast.apply({
    id: row.id,
    address: row.multicast_ip,
    version: row.fence,
    receivers: members.flatMap((member) =>
      member.wanted === 'Joined' ? [{ machineId: member.vm_id!, sources: sourcesOf(member) }] : [],
    ),
  })
  await database.concurrently(async (tx) => {
    const unchanged = { generation: row.generation }
    if (!isInEffect) {
      await step.end(tx, new Date(now.getTime() + AGAIN_MS), { values: {}, unchanged })
      return
    }
    if (!(await step.end(tx, null, { values: { state: 'Active' }, unchanged }))) return
    const moved = await writeStates(tx, members, now)
    if (moved || row.state !== 'Active') {
      await writingIn(tx, now).emit('multicast_group', 'update', row)
    }
  })
}

/** Removes groups of the engine without a row, and makes groups due that the engine lacks. */
async function resync({ database: { db }, multicast }: MulticastParts): Promise<void> {
  const there = await multicast.list()
  const rows = await db.selectFrom('multicast_group').select(['id', 'state']).execute()
  const known = new Set(rows.map(({ id }) => id))
  for (const id of there) if (!known.has(id)) await multicast.remove(id)
  const has = new Set(there)
  for (const { id, state } of rows) {
    if (state !== 'Active' || has.has(id)) continue
    await changeRow(db, 'multicast_group', id, { reconcile_at: new Date(0).toISOString() })
  }
}

export const multicastReconciliation = (
  parts: MulticastParts,
): Reconciliation<'multicast_group'> => ({
  table: 'multicast_group',
  reconcile: (step, row) => reconcileGroup({ ...step, ...parts }, row),
  resync: () => resync(parts),
})
