import type { Updateable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { DiskTable } from './table.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Step } from '../../../kernel/reconciler/reconciler.ts'
import { writingIn, type Writing } from '../../../kernel/work.ts'

/**
 * Writes new values of a disk, and emits the event.
 * @returns the new row, or undefined if the row was written since it was read
 */
export async function changeDisk(
  { db, emit }: Pick<Writing, 'db' | 'emit'>,
  row: Row<'disk'>,
  values: Updateable<DiskTable>,
  action: 'update' | 'delete' = 'update',
): Promise<Row<'disk'> | undefined> {
  const changed = await db
    .updateTable('disk')
    .set({ ...values, generation: row.generation + 1 })
    .where('id', '=', row.id)
    .where('generation', '=', row.generation)
    .returningAll()
    .executeTakeFirst()
  if (changed) await emit('disk', action, changed)
  return changed
}

/**
 * Ends the step of a claimed disk with new values, and emits the event, unless the row was written
 * since it was read.
 * @returns whether the values were written
 */
export async function endDiskStep(
  db: Db,
  step: Step<'disk'>,
  row: Row<'disk'>,
  values: Updateable<DiskTable>,
): Promise<boolean> {
  const changed = await step.end(db, null, {
    values: { ...values, generation: row.generation + 1 },
    unchanged: { generation: row.generation },
  })
  if (!changed) return false
  await writingIn(db, step.now).emit('disk', 'update', changed)
  return true
}
