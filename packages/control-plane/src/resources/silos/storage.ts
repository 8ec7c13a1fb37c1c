/** Storage of a silo's quota: charged and given back with what uses it, in one transaction. */
import { quotaMessages } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors.ts'

const noStorage = () => fail.insufficientCapacity(quotaMessages.storage)

/**
 * Refuses what does not fit into a silo now; {@link chargeStorage} decides.
 * @throws ApiError 507
 */
export async function requireStorage(db: Db, siloId: string, bytes: number): Promise<void> {
  const silo = await db
    .selectFrom('silo')
    .select(['used_storage', 'quota_storage'])
    .where('id', '=', siloId)
    .executeTakeFirstOrThrow()
  if (silo.used_storage + bytes > silo.quota_storage) throw noStorage()
}

/**
 * Takes room of a silo's quota. Called last, as everything else of the silo waits from here to the
 * commit.
 * @throws ApiError 507
 */
export async function chargeStorage(db: Db, siloId: string, bytes: number): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('silo')
    .set({ used_storage: sql`used_storage + ${bytes}` })
    .where('id', '=', siloId)
    .where(sql<boolean>`used_storage + ${bytes} <= quota_storage`)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw noStorage()
}

/** Gives back what {@link chargeStorage} took; called last like that. */
export async function releaseStorage(db: Db, siloId: string, bytes: number): Promise<void> {
  await db
    .updateTable('silo')
    .set({ used_storage: sql`used_storage - ${bytes}` })
    .where('id', '=', siloId)
    .execute()
}
