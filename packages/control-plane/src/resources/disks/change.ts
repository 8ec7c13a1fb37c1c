import type { Updateable } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import type { DiskTable } from './table.ts'
import type { Row } from '../../kernel/kinds.ts'
import { emitTo } from '../../kernel/work.ts'

/**
 * Writes new values of a disk, and emits the event.
 * @returns the new row, or undefined if the row was written since it was read
 */
export async function changeDisk(
  db: Db,
  row: Row<'disk'>,
  values: Updateable<DiskTable>,
  now: Date,
  action: 'update' | 'delete' = 'update',
): Promise<Row<'disk'> | undefined> {
  const changed = await db
    .updateTable('disk')
    .set({ ...values, generation: row.generation + 1 })
    .where('id', '=', row.id)
    .where('generation', '=', row.generation)
    .returningAll()
    .executeTakeFirst()
  if (changed) await emitTo(db, now)('disk', action, changed)
  return changed
}
