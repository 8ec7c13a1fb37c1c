import { importSteps, snapshotCanDelete } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { findLive } from '../../../kernel/kinds.ts'
import { type Writing, writingIn } from '../../../kernel/work.ts'
import { changeDisk } from '../disks/change.ts'
import { isConverting } from '../disks/conversion.ts'
import { releaseDisk } from '../disks/delete.ts'
import { releaseSnapshot } from '../snapshots/delete.ts'
import { type Download, keep } from './steps.ts'

/** States of the disk of a download while its import is open. */
const open: readonly string[] = [importSteps.download.to, importSteps.download.from]
/** States that the disk leaves by itself. */
const passing: readonly string[] = ['creating', importSteps.finalize.to]

/** @returns whether the snapshot is gone */
async function discardSnapshot(writing: Writing, atEnd: AtEnd, id: string, siloId: string) {
  const snapshot = await findLive(writing.db, 'snapshot', id)
  if (!snapshot) return true
  if (!snapshotCanDelete(snapshot.state)) return false
  await releaseSnapshot({ ...writing, atEnd }, snapshot, siloId)
  return true
}

/** @returns whether the disk is gone, or has become an ordinary one that somebody uses */
async function discardDisk(writing: Writing, atEnd: AtEnd, id: string, siloId: string) {
  const disk = await findLive(writing.db, 'disk', id)
  if (!disk || disk.instance_id !== null) return true
  if (passing.includes(disk.state) && !(await isConverting(writing.db, disk))) return false
  const closed = open.includes(disk.state)
    ? await changeDisk(writing, disk, { state: 'faulted' })
    : disk
  if (!closed) return false
  await releaseDisk({ ...writing, atEnd }, closed, siloId)
  return true
}

type AtEnd = (write: () => Promise<void>) => void

/**
 * Deletes the disk and the snapshot of a download.
 * @returns whether they are gone; if not, they are in a state that ends by itself
 */
export async function discard(download: Download): Promise<boolean> {
  const { services, row } = download
  if (row.disk_id === null && row.snapshot_id === null) return true
  const gone = await services.database.transaction(async (tx: Db) => {
    const lastWrites: (() => Promise<void>)[] = []
    const atEnd: AtEnd = (write) => void lastWrites.push(write)
    const writing = writingIn(tx, services.clock())
    const { silo_id: siloId, snapshot_id, disk_id } = row
    if (snapshot_id !== null && !(await discardSnapshot(writing, atEnd, snapshot_id, siloId))) {
      return false
    }
    if (disk_id !== null && !(await discardDisk(writing, atEnd, disk_id, siloId))) return false
    await keep(tx, download, { disk_id: null, snapshot_id: null })
    for (const write of lastWrites) await write()
    return true
  })
  if (gone) Object.assign(row, { disk_id: null, snapshot_id: null })
  services.reconciler.wake('disk')
  services.reconciler.wake('snapshot')
  services.feed.notify()
  return gone
}
