/**
 * The storage quota of a silo: charged and released in the transaction that makes or deletes the
 * thing.
 */
import { quotaMessages } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors.ts'

/**
 * Charges the quota of a silo. Called last, because other transactions of the silo wait from here
 * until the commit.
 * @throws ApiError 507
 */
export async function chargeStorage(db: Db, siloId: string, bytes: number): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('silo')
    .set({ used_storage: sql`used_storage + ${bytes}` })
    .where('id', '=', siloId)
    .where(sql<boolean>`used_storage + ${bytes} <= quota_storage`)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw fail.insufficientCapacity(quotaMessages.storage)
}

/** Releases what {@link chargeStorage} charged; called last for the same reason. */
export async function releaseStorage(db: Db, siloId: string, bytes: number): Promise<void> {
  await db
    .updateTable('silo')
    .set({ used_storage: sql`used_storage - ${bytes}` })
    .where('id', '=', siloId)
    .execute()
}
