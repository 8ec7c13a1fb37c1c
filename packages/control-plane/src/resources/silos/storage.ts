/** Storage of a silo's quota: charged and given back with what uses it, in one transaction. */
import { quotaMessages } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors.ts'

export async function chargeStorage(db: Db, siloId: string, bytes: number): Promise<void> {
  const silo = await db
    .selectFrom('silo')
    .select(['used_storage', 'quota_storage'])
    .where('id', '=', siloId)
    .executeTakeFirstOrThrow()
  if (silo.used_storage + bytes > silo.quota_storage) {
    throw fail.insufficientCapacity(quotaMessages.storage)
  }
  await db
    .updateTable('silo')
    .set({ used_storage: sql`used_storage + ${bytes}` })
    .where('id', '=', siloId)
    .execute()
}

export async function releaseStorage(db: Db, siloId: string, bytes: number): Promise<void> {
  await db
    .updateTable('silo')
    .set({ used_storage: sql`used_storage - ${bytes}` })
    .where('id', '=', siloId)
    .execute()
}
