import type { Updateable } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import type { InstanceTable } from './table.ts'
import type { Row } from '../../kernel/kinds.ts'
import { emitTo } from '../../kernel/work.ts'

/**
 * Writes new values of an instance, and emits the event.
 * @returns the new row, or undefined if the row was written since it was read
 */
export async function changeInstance(
  db: Db,
  row: Row<'instance'>,
  values: Updateable<InstanceTable>,
  now: Date,
  action: 'update' | 'delete' = 'update',
): Promise<Row<'instance'> | undefined> {
  const stateChanged = values.run_state !== undefined && values.run_state !== row.run_state
  const changed = await db
    .updateTable('instance')
    .set({
      ...values,
      ...(stateChanged ? { time_run_state_updated: now.toISOString() } : {}),
      generation: row.generation + 1,
    })
    .where('id', '=', row.id)
    .where('generation', '=', row.generation)
    .returningAll()
    .executeTakeFirst()
  if (!changed) return undefined
  await emitTo(db, now)('instance', action, row)
  return changed
}
