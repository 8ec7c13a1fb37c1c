/** The last steps of a download: its disk is converted, and an image made of it. */
import { imageDownloadProblems as problems, importSteps } from '@steading/api/rules'
import { operationTable } from '@steading/api'
import { entryOf, writeEntries } from '../../../kernel/audit/entry.ts'
import { originOf } from '../../../kernel/audit/origin.ts'
import { createAuditContext } from '../../../kernel/audit/audit-context.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import { type Row, findLive } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import type { Tx } from '../../../kernel/db/database.ts'
import { changeDisk } from '../disks/change.ts'
import { conversionOf } from '../disks/conversion.ts'
import { releaseDisk } from '../disks/delete.ts'
import { finalizeImport } from '../disks/import.ts'
import { createImage } from '../images/create.ts'
import { createSnapshot } from '../snapshots/create.ts'
import { releaseSnapshot } from '../snapshots/delete.ts'
import { actorOf, asUser, type Download, DownloadFailure, endStep, keep, requeue } from './steps.ts'

type DiskRow = Row<'disk'>

/** Ends the import of the disk, and asks for its snapshot. */
async function finalize(download: Download, disk: DiskRow): Promise<void> {
  const { services, row } = download
  const snapshot = await services.database.transaction((tx) =>
    asUser(download, tx, 'disk_finalize_import', async (work) => {
      const about = { name: disk.name, description: disk.description }
      const taken = await createSnapshot(work, row.silo_id, disk, about)
      const closed = await changeDisk(work, disk, { state: importSteps.finalize.from })
      if (!closed) throw new DownloadFailure(problems.diskChanged)
      await finalizeImport(work, closed)
      await keep(tx, download, { snapshot_id: taken.id })
      return taken
    }),
  )
  row.snapshot_id = snapshot.id
  services.feed.notify()
}

/** Makes the image, and deletes the disk and the snapshot, whose bytes it has. */
async function makeImage(
  download: Download,
  tx: Tx,
  disk: DiskRow,
  snapshot: Row<'snapshot'>,
): Promise<void> {
  const { services, row } = download
  const operation = 'image_create'
  const audit = createAuditContext()
  const now = services.clock()
  const image = await asUser(
    download,
    tx,
    operation,
    async (work) => {
      const { name, description, os, version, silo_id } = row
      const project = await lookup(work, 'project', row.project_id)
      if (row.for_silo) authorize(work, 'silo_image', { siloId: silo_id })
      const project_id = row.for_silo ? null : project.id
      const about = { name, description, os, version, silo_id, project_id }
      const made = await createImage(work, about, snapshot)
      // They are leftovers of the download, which nobody restores.
      await releaseSnapshot(work, snapshot, silo_id)
      await releaseDisk(work, disk, silo_id)
      return made
    },
    audit,
  )
  const entry = entryOf({
    called: { id: operation, operation: operationTable[operation] },
    origin: await originOf(tx, row.id, `/x/v1/image-downloads/${row.id}`),
    author: await actorOf(download, tx),
    args: { body: { name: row.name } },
    audit,
    started: now,
    completed: now,
  })
  entry.row.target_id ??= image.id
  await writeEntries(tx, [entry])
  const values = {
    state: 'ready' as const,
    image_id: image.id,
    disk_id: null,
    snapshot_id: null,
    time_finished: now.toISOString(),
  }
  if (!(await endStep(tx, download, values))) throw new Cancelled()
}

/** The download was cancelled at the last moment, so that no image may be made. */
class Cancelled extends Error {}

/** Brings a download whose file is stored nearer to its image. */
export async function importFile(download: Download): Promise<void> {
  const { services, step, row } = download
  const { db } = services.database
  const read = () => findLive(db, 'disk', row.disk_id!)
  let disk = await read()
  if (disk?.state === importSteps.download.to) {
    await finalize(download, disk)
    await step.first('disk', disk.id)
    disk = await read()
  }
  if (disk?.state === importSteps.finalize.to) return requeue(download)
  if (disk?.state === 'faulted') {
    const conversion = await conversionOf(db, disk.id)
    throw new DownloadFailure(conversion?.problem ?? problems.notConverted)
  }
  const snapshot =
    row.snapshot_id === null ? undefined : await findLive(db, 'snapshot', row.snapshot_id)
  if (disk?.state !== 'detached' || !snapshot) throw new DownloadFailure(problems.diskChanged)
  if (snapshot.state === 'creating') return requeue(download)
  if (snapshot.state !== 'ready') throw new DownloadFailure(problems.notConverted)
  try {
    await services.database.transaction((tx) => makeImage(download, tx, disk, snapshot))
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error
    return
  }
  services.reconciler.wake('disk')
  services.reconciler.wake('snapshot')
}
