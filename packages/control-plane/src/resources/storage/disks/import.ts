/** The steps of an import (control plane 7.4). */
import { diskStateText, importSteps } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work } from '../../../kernel/work.ts'
import { createSnapshot, SNAPSHOT_WAIT_MS } from '../snapshots/create.ts'
import { changeDisk } from './change.ts'

type DiskRow = Row<'disk'>

export const stateText = ({ state, instance_id }: DiskRow): string =>
  diskStateText(state, instance_id)

async function change(work: Work, disk: DiskRow, values: Partial<DiskRow>): Promise<void> {
  const changed = await changeDisk(work, disk, values)
  if (!changed) throw fail.conflict('disk changed meanwhile; try again')
}

async function take(work: Work, disk: DiskRow, step: 'start' | 'stop'): Promise<void> {
  const { from, to } = importSteps[step]
  if (disk.state !== from) {
    throw fail.invalidRequest(`cannot set disk in state ${stateText(disk)} to "${to}"`)
  }
  await change(work, disk, { state: to })
}

export const startImport = (work: Work, disk: DiskRow): Promise<void> => take(work, disk, 'start')

/** Stops an import, once the chunks in progress are written. */
export async function stopImport(work: Work, disk: DiskRow): Promise<void> {
  await take(work, disk, 'stop')
  work.afterCommit(() => work.services.imports.drained(disk.id))
}

/**
 * Turns an imported disk into an ordinary one.
 * @param snapshotName name of a snapshot to take of the disk
 */
export async function finalizeImport(
  work: Work,
  disk: DiskRow,
  snapshotName?: string | null,
): Promise<void> {
  const { from, to } = importSteps.finalize
  if (disk.state !== from) {
    throw fail.invalidRequest(`cannot finalize disk in state ${stateText(disk)}`)
  }
  if (snapshotName) {
    const description = `snapshot of disk ${disk.name}`
    await createSnapshot(work, work.actor.siloId, disk, { name: snapshotName, description })
  }
  await change(work, disk, { state: to, reconcile_at: work.now.toISOString() })
  const { reconciler } = work.services
  work.afterCommit(() => reconciler.settle('disk', disk.id, SNAPSHOT_WAIT_MS))
}
