import {
  diskCannotGrow,
  diskRefusals,
  exactBytes,
  hardwareMessages,
  storagePoolMessages,
} from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Work, Writing } from '../../../kernel/work.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import { growReplicas } from '../../hardware/physical-disks/replicas.ts'
import { poolOf } from '../storage-pools/choose.ts'
import { roomOf, takeRoom } from '../storage-pools/room.ts'
import { chargeStorage } from '../../tenancy/silos/storage.ts'
import { changeDisk } from './change.ts'
import { checkSize } from './create.ts'

/**
 * Makes a disk larger. Its row has the new size at once, and the quota and the physical disks are
 * charged; the reconciler enlarges the volume, and tells the guest.
 * @param size bytes
 * @throws ApiError 400 for a size or a state that does not allow it, 409 while it is growing, 507 if
 *   there is no room
 */
export async function growDisk(
  work: Writing & Pick<Work, 'atEnd' | 'audit'>,
  disk: Row<'disk'>,
  size: number,
): Promise<void> {
  const { db, now } = work
  const cannot = diskCannotGrow(disk.state, disk.read_only === 1)
  if (cannot) throw fail.invalidRequest(cannot)
  if (disk.growing === 1) throw fail.conflict(diskRefusals.growing(disk.name))
  await checkSize(db, size, disk.block_size, disk.disk_type)
  if (size <= disk.size) throw fail.invalidValue('size', diskRefusals.notLarger(disk.size))
  const project = await readRow(db, 'project', disk.project_id, 'id', 'silo_id')
  const grown = await changeDisk(work, disk, {
    size,
    growing: 1,
    reconcile_at: now.toISOString(),
  })
  if (!grown) throw fail.conflict('disk changed meanwhile; try again')
  work.audit.tell({ size: exactBytes(size) })
  chargeStorage(work, project, size - disk.size)
  const pool = roomOf(disk)
  work.atEnd(async () => {
    if (pool !== null) {
      if (await takeRoom(db, pool, size - disk.size)) return
      const { name } = await poolOf(db, pool)
      throw fail.insufficientCapacity(storagePoolMessages.noRoom(name))
    }
    if (await growReplicas(db, disk.id, size)) return
    throw fail.insufficientCapacity(hardwareMessages.noStorage)
  })
}
