import type { Updateable } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import type { DiskTable } from '../../kernel/db/schema.ts'
import { writeChange } from '../../kernel/events/outbox.ts'
import type { DiskRow } from './view.ts'

export const diskChanged = (
  db: Db,
  row: DiskRow,
  action: 'create' | 'update' | 'delete',
  now: Date,
): Promise<void> =>
  writeChange(
    db,
    { resource: 'disks', action, resource_id: row.id, name: row.name, project_id: row.project_id },
    now,
  )

/**
 * Writes new values of a disk, and the event that says so.
 * @returns the new row, or undefined if somebody else has written it since it was read
 */
export async function changeDisk(
  db: Db,
  row: DiskRow,
  values: Updateable<DiskTable>,
  now: Date,
  action: 'update' | 'delete' = 'update',
): Promise<DiskRow | undefined> {
  const changed = await db
    .updateTable('disk')
    .set({ ...values, generation: row.generation + 1 })
    .where('id', '=', row.id)
    .where('generation', '=', row.generation)
    .returningAll()
    .executeTakeFirst()
  if (changed) await diskChanged(db, changed, action, now)
  return changed
}
