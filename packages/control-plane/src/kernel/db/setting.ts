/** Values that a database keeps by a key, such as its secret and choices of operators. */
import type { Db } from './database.ts'

/** The key of the time of the first start. */
export const BOOTSTRAPPED = 'bootstrapped'

export async function readSetting(db: Db, key: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.value
}

export async function writeSetting(db: Db, key: string, value: string): Promise<void> {
  await db
    .insertInto('setting')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/**
 * Stores a value, unless there is one.
 * @returns the stored value, perhaps of another server
 */
export async function claimSetting(db: Db, key: string, value: string): Promise<string> {
  await db
    .insertInto('setting')
    .values({ key, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await readSetting(db, key))!
}
