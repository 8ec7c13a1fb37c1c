import { type InstanceState, moveFailure, type MoveState } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { changeRow, findRow } from '../../../kernel/db/rows.ts'

/** Values that a step writes to an instance, as far as they end a move. */
interface Outcome {
  migration_id?: string | null
  sled_id?: string | null
  run_state?: InstanceState
  failure?: string | null
}

/**
 * Ends the move of an instance, if the new values of the instance end it.
 * @param row the instance before
 * @param reason why it has failed, if that is known
 */
export async function endMove(
  db: Db,
  now: Date,
  row: Pick<Row<'instance'>, 'migration_id' | 'destination_sled_id' | 'run_state'>,
  { migration_id, sled_id, run_state = row.run_state, failure }: Outcome,
  reason?: string,
): Promise<void> {
  if (row.migration_id === null || migration_id !== null) return
  const moved = sled_id !== undefined && sled_id !== null && sled_id === row.destination_sled_id
  const move = await findRow(db, 'instance_move', row.migration_id, 'cancelled_by')
  const isCancelled = typeof move?.cancelled_by === 'string'
  const end = (): { state: MoveState; reason: string | null } => {
    if (moved) return { state: 'moved', reason: null }
    if (isCancelled) return { state: 'cancelled', reason: null }
    return { state: 'failed', reason: reason ?? failure ?? moveFailure(run_state) }
  }
  await changeRow(db, 'instance_move', row.migration_id, {
    ...end(),
    time_finished: now.toISOString(),
  })
}
