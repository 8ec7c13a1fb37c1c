/**
 * Damaged data on the disks of servers: bytes that changed after they were written. Rows record it,
 * so that every server reports it, until a check finds the bytes intact or gone.
 */
import { sql } from 'kysely'
import type { Db } from './db/database.ts'
import type { Settings } from './settings.ts'

export interface DamageTable {
  /** A volume by its id, or a file of the time series by its name. */
  kind: 'volume' | 'time_series'
  thing: string
  /** Number of damaged bytes that a check found; null if a read came upon the damage. */
  bytes: number | null
  time_found: string
}

declare module './db/schema.ts' {
  interface Database {
    damage: DamageTable
  }
}

/**
 * Records damage, and logs it if it is new.
 * @param bytes null if the number is not known
 */
export async function noteDamage(
  { db, log, now }: { db: Db; log: Settings['log']; now: Date },
  kind: DamageTable['kind'],
  thing: string,
  bytes: number | null,
): Promise<void> {
  const found = await db
    .insertInto('damage')
    .values({ kind, thing, bytes, time_found: now.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .returning('thing')
    .executeTakeFirst()
  if (found) {
    const what = kind === 'volume' ? `bytes of volume ${thing}` : `time series in ${thing}`
    log(`${what} are damaged on the disk`)
    return
  }
  if (bytes === null) return
  await db
    .updateTable('damage')
    .set({ bytes })
    .where('kind', '=', kind)
    .where('thing', '=', thing)
    .where(sql<boolean>`bytes is null or bytes <> ${bytes}`)
    .execute()
}

/** Deletes the records of damage for a kind: for one resource, or for all except some. */
export async function endDamage(
  db: Db,
  kind: DamageTable['kind'],
  which: { thing: string } | { others: readonly string[] },
): Promise<void> {
  await db
    .deleteFrom('damage')
    .where('kind', '=', kind)
    .$if('thing' in which, (query) => query.where('thing', '=', (which as { thing: string }).thing))
    .$if('others' in which && which.others.length > 0, (query) =>
      query.where('thing', 'not in', (which as { others: readonly string[] }).others),
    )
    .execute()
}
