/** Ends clones: deletes the snapshots that were taken for them, once the disks are filled. */
import { cloneMessages } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import { nextLook } from '../../../kernel/backoff.ts'
import type { Db, OpenDatabase } from '../../../kernel/db/database.ts'
import type { Reconciliation, Step } from '../../../kernel/reconciler/reconciler.ts'
import { writingIn } from '../../../kernel/work.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import { changeDisk } from '../../storage/disks/change.ts'
import { releaseSnapshot } from '../../storage/snapshots/delete.ts'
import { dropClone } from './drop.ts'
import type { InstanceCloneTable } from './table.ts'

export type CloneRow = Selectable<InstanceCloneTable>

/** Maximum milliseconds between two looks at the disks of a clone. */
const LATEST_MS = 5_000

const disksOf = (db: Db, { id }: CloneRow) =>
  db
    .selectFrom('instance_clone_disk as its')
    .innerJoin('disk', 'disk.id', 'its.disk_id')
    .select(['disk.name', 'disk.state', 'disk.time_deleted'])
    .where('its.clone_id', '=', id)
    .orderBy('disk.name')
    .execute()

/** Snapshots that were taken for a clone and exist. */
export const temporarySnapshots = (db: Db, cloneId: string) =>
  db
    .selectFrom('instance_clone_disk as its')
    .innerJoin('snapshot', 'snapshot.id', 'its.snapshot_id')
    .selectAll('snapshot')
    .where('its.clone_id', '=', cloneId)
    .where('its.temporary', '=', 1)
    .where('snapshot.time_deleted', 'is', null)

/** Makes disks forget their snapshots, so that nobody looks for these. */
async function forgetSnapshots(tx: Db, row: CloneRow, now: Date): Promise<void> {
  const disks = await tx
    .selectFrom('instance_clone_disk as its')
    .innerJoin('disk', 'disk.id', 'its.disk_id')
    .selectAll('disk')
    .where('its.clone_id', '=', row.id)
    .where('its.temporary', '=', 1)
    .where('disk.time_deleted', 'is', null)
    .execute()
  for (const disk of disks) await changeDisk(writingIn(tx, now), disk, { snapshot_id: null })
}

/** Deletes the snapshots that were taken for a clone, unless a user has. */
async function deleteSnapshots(tx: Db, row: CloneRow, now: Date): Promise<void> {
  const snapshots = await temporarySnapshots(tx, row.id).execute()
  if (snapshots.length === 0) return
  const { silo_id } = await readRow(tx, 'project', row.source_project_id, 'silo_id')
  const last: (() => Promise<void>)[] = []
  const atEnd = (write: () => Promise<void>) => void last.push(write)
  for (const snapshot of snapshots) {
    await releaseSnapshot({ ...writingIn(tx, now), atEnd }, snapshot, silo_id)
  }
  for (const write of last) await write()
}

async function finish(
  { database }: { database: OpenDatabase },
  step: Step<'instance_clone'>,
  row: CloneRow,
): Promise<void> {
  const { now } = step
  await database.transaction(async (tx) => {
    const disks = await disksOf(tx, row)
    const lost = disks.filter(({ state }) => state === 'faulted').map(({ name }) => name)
    await forgetSnapshots(tx, row, now)
    await deleteSnapshots(tx, row, now)
    await step.end(tx, null, {
      values: {
        state: lost.length > 0 ? 'failed' : 'done',
        reason: lost.length > 0 ? cloneMessages.failed(lost) : null,
        time_finished: now.toISOString(),
      },
      unchanged: {},
    })
    const instance = await tx
      .selectFrom('instance')
      .selectAll()
      .where('id', '=', row.instance_id)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (instance) await writingIn(tx, now).emit('instance', 'update', instance)
    else await dropClone(tx, row.instance_id)
  })
  step.wake('snapshot')
}

async function reconcileClone(
  parts: { database: OpenDatabase },
  step: Step<'instance_clone'>,
  row: CloneRow,
): Promise<void> {
  const { db } = parts.database
  if (row.state !== 'copying') return step.end(db, null)
  const disks = await disksOf(db, row)
  const open = disks.some(
    ({ state, time_deleted }) => state === 'creating' && time_deleted === null,
  )
  const beingTaken = (await temporarySnapshots(db, row.id).execute()).some(
    ({ state }) => state === 'creating',
  )
  if (open || beingTaken) return step.end(db, nextLook(row.time_started, step.now, LATEST_MS))
  return finish(parts, step, row)
}

export const instanceCloneReconciliation = (parts: {
  database: OpenDatabase
}): Reconciliation<'instance_clone'> => ({
  table: 'instance_clone',
  reconcile: (step, row) => reconcileClone(parts, step, row),
})
