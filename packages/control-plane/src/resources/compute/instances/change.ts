import type { InstanceState } from '@steading/api/rules'
import type { Updateable } from 'kysely'
import { endMove } from '../moves/end.ts'
import { noteState } from '../../networking/multicast-groups/notice.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { InstanceTable } from './table.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Step } from '../../../kernel/reconciler/reconciler.ts'
import { writingIn, type Writing } from '../../../kernel/work.ts'

const newValues = (
  row: Row<'instance'>,
  values: Updateable<InstanceTable>,
  now: Date,
): Updateable<InstanceTable> => {
  const stateChanged = values.run_state !== undefined && values.run_state !== row.run_state
  return {
    ...values,
    ...(stateChanged ? { time_run_state_updated: now.toISOString() } : {}),
    generation: row.generation + 1,
  }
}

/**
 * Writes new values of an instance, and emits the event.
 * @returns the new row, or undefined if the row was written since it was read
 */
export async function changeInstance(
  { db, now, emit }: Writing,
  row: Row<'instance'>,
  values: Updateable<InstanceTable>,
  action: 'update' | 'delete' = 'update',
): Promise<Row<'instance'> | undefined> {
  const changed = await db
    .updateTable('instance')
    .set(newValues(row, values, now))
    .where('id', '=', row.id)
    .where('generation', '=', row.generation)
    .returningAll()
    .executeTakeFirst()
  if (!changed) return undefined
  await emit('instance', action, row)
  return changed
}

/**
 * Ends the step of a claimed instance with new values, and emits the event, unless the row was
 * written since it was read.
 * @param moveFailure why a move that the values end has failed, if that is known
 * @returns whether the values were written
 */
export async function endInstanceStep(
  db: Db,
  step: Step<'instance'>,
  row: Row<'instance'>,
  values: Updateable<InstanceTable>,
  at: Date | null,
  moveFailure?: string,
): Promise<boolean> {
  const changed = await step.end(db, at, {
    values: newValues(row, values, step.now),
    unchanged: { generation: row.generation },
  })
  if (!changed) return false
  await endMove(db, step.now, row, values as Parameters<typeof endMove>[3], moveFailure)
  if (await noteState(db, step.now, row, values.run_state as InstanceState | undefined)) {
    step.wake('multicast_group')
  }
  await writingIn(db, step.now).emit('instance', 'update', row)
  return true
}
