/**
 * Begins moves. The row of a move is written with the instance, so it says what became of the
 * instance whichever server dies meanwhile.
 */
import { type MoveCause, moveMessages, MOVES_KEPT } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { changeRow, findRow } from '../../../kernel/db/rows.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { changeInstance } from '../instances/change.ts'
import { takeDestination } from '../instances/resources.ts'

interface Begun {
  cause: MoveCause
  /** The wanted destination; otherwise the best one is taken. */
  to?: string
  /** The maintenance behind it. */
  maintenanceId?: string
  /** Display name of the operator behind it. */
  userName?: string
}

/** Removes the oldest ended moves of an instance. */
async function dropOldMoves(db: Db, instanceId: string): Promise<void> {
  const old = await db
    .selectFrom('instance_move')
    .select('id')
    .where('instance_id', '=', instanceId)
    // Its time may be earlier, if the clock was set back.
    .where('state', '!=', 'moving')
    .orderBy('time_started', 'desc')
    .orderBy('id', 'desc')
    .limit(MOVES_KEPT)
    .offset(MOVES_KEPT - 1)
    .execute()
  if (old.length === 0) return
  const ids = old.map(({ id }) => id)
  await db.deleteFrom('instance_move').where('id', 'in', ids).execute()
}

/**
 * Writes that the move of an instance is to be cancelled. Does nothing if that was written.
 * @returns its id; undefined if the instance was written since it was read
 * @throws ApiError 409 if the instance is not being moved
 */
export async function cancelMove(
  work: Writing,
  row: Row<'instance'>,
  userName: string,
): Promise<string | undefined> {
  const { db, now } = work
  const move = await findRow(db, 'instance_move', row.migration_id, 'id', 'cancelled_by')
  if (!move) throw fail.conflict(moveMessages.notMoving)
  const { id, cancelled_by } = move
  if (cancelled_by !== null) return id
  if (!(await changeInstance(work, row, { reconcile_at: now.toISOString() }))) return undefined
  await changeRow(db, 'instance_move', id, { cancelled_by: userName })
  return id
}

/**
 * Begins to move a running instance, in a transaction that runs alone.
 * @returns its id; undefined if the instance was written since it was read
 * @throws ApiError 507 when no sled has room, or the wanted one cannot take it; 400 when the groups
 *   of the instance allow none
 */
export async function beginMove(
  work: Writing,
  row: Row<'instance'>,
  { cause, to, maintenanceId, userName }: Begun,
): Promise<string | undefined> {
  const { db, now } = work
  const id = crypto.randomUUID()
  const time = now.toISOString()
  const destination = await takeDestination(db, row, now, to)
  const changed = await changeInstance(work, row, {
    run_state: 'migrating',
    destination_sled_id: destination,
    migration_id: id,
    reconcile_at: time,
  })
  if (!changed) return undefined
  await db
    .insertInto('instance_move')
    .values({
      id,
      instance_id: row.id,
      from_sled_id: row.sled_id!,
      to_sled_id: destination,
      cause,
      maintenance_id: maintenanceId ?? null,
      user_name: userName ?? null,
      state: 'moving',
      reason: null,
      cancelled_by: null,
      bytes_total: null,
      bytes_processed: null,
      bytes_remaining: null,
      bytes_per_second: null,
      time_progress: null,
      time_started: time,
      time_finished: null,
    })
    .execute()
  await dropOldMoves(db, row.id)
  return id
}
