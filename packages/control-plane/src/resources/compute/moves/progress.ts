import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { MachineObservation } from '../../../kernel/ports/machines.ts'
import { writingIn } from '../../../kernel/work.ts'
import type { InstanceMoveTable } from './table.ts'

/** Shortest time between two writes of the progress of a move. Milliseconds. */
const WRITE_MS = 2_000

/** Writes how far the move of an instance is, and emits the event, unless that was just done. */
export async function noteProgress(
  db: Db,
  now: Date,
  row: Row<'instance'>,
  { total, processed, remaining, rate }: NonNullable<MachineObservation['move']>,
): Promise<void> {
  const time = now.toISOString()
  const written = await db
    .updateTable('instance_move')
    .set({
      bytes_total: total,
      bytes_processed: processed,
      bytes_remaining: remaining,
      bytes_per_second: rate,
      time_progress: time,
    })
    .where('id', '=', row.migration_id)
    .where((eb) =>
      eb.or([
        eb('time_progress', 'is', null),
        eb('time_progress', '<=', new Date(now.getTime() - WRITE_MS).toISOString()),
        // The clock was set back.
        eb('time_progress', '>', time),
      ]),
    )
    .returning('id')
    .executeTakeFirst()
  if (written) await writingIn(db, now).emit('instance', 'update', row)
}

type Written = Pick<
  InstanceMoveTable,
  'bytes_total' | 'bytes_processed' | 'bytes_remaining' | 'bytes_per_second'
>

/** The progress of a move; null if it is not known. */
export const toWireProgress = (row: Written): Wire.InstanceMoveProgress | null =>
  row.bytes_total === null
    ? null
    : {
        bytes_total: row.bytes_total,
        bytes_processed: row.bytes_processed!,
        bytes_remaining: row.bytes_remaining!,
        bytes_per_second: row.bytes_per_second!,
      }
