/** Disks of instances whose bytes are being changed or moved. */
import { diskMoveMessages, diskRefusals } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'

/** A disk of an instance that is being rolled back or moved to another storage pool. */
const changingDiskOf = (db: Db, instanceId: string) =>
  db
    .selectFrom('disk')
    .select(['name', 'rollback_snapshot_id'])
    .where('instance_id', '=', instanceId)
    .where('state', '=', 'maintenance')
    .where('time_deleted', 'is', null)
    .executeTakeFirst()

/** The disk of a running instance that is being moved to another storage pool, if there is one. */
export const movingDiskOf = (db: Db, instanceId: string): Promise<{ name: string } | undefined> =>
  changingDiskOf(db, instanceId)

/** @throws ApiError 409 while a disk of an instance is being rolled back or moved */
export async function requireDisksAtRest(db: Db, instanceId: string): Promise<void> {
  const disk = await changingDiskOf(db, instanceId)
  if (!disk) return
  throw fail.conflict(
    disk.rollback_snapshot_id === null
      ? diskMoveMessages.moving(disk.name)
      : diskRefusals.rollingBack(disk.name),
  )
}
