import type { Db } from '../../../kernel/db/database.ts'
import { readRow } from '../../../kernel/db/rows.ts'

/** Hours for which the deleted resources of a silo's projects are kept; 0 if they are not. */
export async function restorableHours(db: Db, siloId: string): Promise<number> {
  const { restorable_hours } = await readRow(db, 'silo', siloId, 'restorable_hours')
  return restorable_hours
}

/** The kept resources of a silo: their number and their bytes. */
export async function keptOf(db: Db, siloId: string): Promise<{ count: number; size: number }> {
  const { count, size } = await db
    .selectFrom('deleted_resource')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.sum<number>('size').as('size')])
    .where('silo_id', '=', siloId)
    .executeTakeFirstOrThrow()
  return { count: Number(count), size: Number(size ?? 0) }
}
