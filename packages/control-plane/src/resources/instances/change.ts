import type { Updateable } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { InstanceTable } from '../../kernel/db/schema.ts'
import { writeChange } from '../../kernel/events/outbox.ts'
import type { InstanceRow } from './view.ts'

/**
 * Writes new values of an instance, and the event that says so.
 * @returns the new row, or undefined if somebody else has written it since it was read
 */
export async function changeInstance(
  db: Db,
  row: InstanceRow,
  values: Updateable<InstanceTable>,
  now: Date,
  action: 'update' | 'delete' = 'update',
): Promise<InstanceRow | undefined> {
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
  await writeChange(
    db,
    {
      resource: 'instances',
      action,
      resource_id: row.id,
      name: row.name,
      project_id: row.project_id,
    },
    now,
  )
  return changed
}

/** Says that something that belongs to an instance has changed. */
export const instanceTouched = (ctx: Context, row: InstanceRow): Promise<void> =>
  ctx.emit({
    resource: 'instances',
    action: 'update',
    resource_id: row.id,
    name: row.name,
    project_id: row.project_id,
  })
