/**
 * The storage quota of a silo: charged and released in the transaction that makes or deletes the
 * thing.
 */
import { quotaMessages } from '@steading/api/rules'
import { sql } from 'kysely'
import { fail } from '../../kernel/errors.ts'
import type { Work } from '../../kernel/work.ts'

type Charging = Pick<Work, 'db' | 'atEnd'>

/** Charges the quota of a silo; if it is exhausted, the transaction ends with the error 507. */
export const chargeStorage = ({ db, atEnd }: Charging, siloId: string, bytes: number): void =>
  atEnd(async () => {
    const { numUpdatedRows } = await db
      .updateTable('silo')
      .set({ used_storage: sql`used_storage + ${bytes}` })
      .where('id', '=', siloId)
      .where(sql<boolean>`used_storage + ${bytes} <= quota_storage`)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw fail.insufficientCapacity(quotaMessages.storage)
  })

/** Releases what {@link chargeStorage} charged. */
export const releaseStorage = ({ db, atEnd }: Charging, siloId: string, bytes: number): void =>
  atEnd(async () => {
    await db
      .updateTable('silo')
      .set({ used_storage: sql`used_storage - ${bytes}` })
      .where('id', '=', siloId)
      .execute()
  })
