import { diskCan, diskStateText } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { chargeStorage } from '../../tenancy/silos/storage.ts'
import { insertNamed } from '../../../kernel/named-rows.ts'
import { unclaimed } from '../../../kernel/db/leases.ts'

/** A moment in names of snapshots, to the second: `20261128-020000`. */
export const secondsOf = (now: Date): string =>
  now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')

/**
 * How long a create waits for its snapshot to be taken, because clients use it at once.
 * Milliseconds.
 */
export const SNAPSHOT_WAIT_MS = 10_000

/**
 * Inserts a snapshot in state `creating`; the reconciler takes it.
 * @throws ApiError 507 if the quota is exhausted, 400 if the name is taken
 */
export async function createSnapshot(
  work: Writing & Pick<Work, 'atEnd'>,
  siloId: string,
  disk: Row<'disk'>,
  described: { name: string; description: string },
): Promise<Row<'snapshot'>> {
  const snapshot = await insertNamed(work, 'snapshot', described, {
    project_id: disk.project_id,
    disk_id: disk.id,
    size: disk.size,
    block_size: disk.block_size,
    state: 'creating',
    consistency: null,
    has_volume: 0,
    storage_pool_id: disk.storage_pool_id,
    reconcile_at: work.now.toISOString(),
    ...unclaimed,
  })
  chargeStorage(work, { id: disk.project_id, silo_id: siloId }, disk.size)
  return snapshot
}

/** @throws ApiError 400 for a disk whose type, mode or state does not allow snapshots */
export function requireSnapshottable(disk: Row<'disk'>): void {
  const refuse = (what: string) => fail.invalidRequest(`can't create a snapshot of a ${what}`)
  if (disk.disk_type === 'local') throw refuse('local storage disk')
  if (disk.read_only === 1) throw refuse('read-only disk')
  if (!diskCan('snapshot', disk.state)) {
    throw refuse(`disk in state ${diskStateText(disk.state, disk.instance_id)}`)
  }
}
