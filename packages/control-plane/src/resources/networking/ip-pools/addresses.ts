/**
 * The addresses of a pool: taking a free one, and giving one back. Every address in use is counted
 * here, once, in the row of its pool. Only transactions that run alone may call this.
 */
import { poolExhausted } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { readRow } from '../../../kernel/db/rows.ts'
import {
  giveBack,
  isOpen,
  type KeyRange,
  lowestFree,
  openSpace,
  takeKey,
  takeLowest,
  takeOpening,
} from '../addresses/space.ts'
import { addressHolders } from './holders.ts'
import { poolUse } from './utilization.ts'

interface Pool {
  id: string
  name: string
}

/** Keys per query, when the free addresses of a pool are computed. */
const PAGE = 10_000

/** Addresses of a pool that are in use. */
async function* usedKeys(db: Db, poolId: string, range: KeyRange): AsyncGenerator<string> {
  let after = ''
  for (;;) {
    const each = addressHolders().map(
      ({ table }) => sql`select * from (
        select distinct ip_key from ${sql.table(table)}
        where ip_pool_id = ${poolId} and ip_key > ${after}
          and ip_key >= ${range.first_key} and ip_key <= ${range.last_key}
        order by ip_key limit ${PAGE}) as part`,
    )
    const { rows } = await sql<{ ip_key: string }>`
      ${sql.join(each, sql` union `)} order by ip_key limit ${PAGE}`.execute(db)
    for (const { ip_key } of rows) yield ip_key
    if (rows.length < PAGE) return
    after = rows.at(-1)!.ip_key
  }
}

export const rangesOf = (db: Db, poolId: string) =>
  db.selectFrom('ip_pool_range').selectAll().where('ip_pool_id', '=', poolId).orderBy('first_key')

/**
 * Makes sure that the free addresses of a pool are stored.
 * @returns whether they were computed now
 */
export async function openPool(db: Db, { id }: Pick<Pool, 'id'>): Promise<boolean> {
  if (await isOpen(db, id)) return false
  const ranges = await rangesOf(db, id).execute()
  await openSpace(db, { id, ranges, used: (range) => usedKeys(db, id, range) })
  for (const { opened } of addressHolders()) await opened?.(db, id)
  return true
}

async function count(db: Db, poolId: string, change: 1 | -1): Promise<void> {
  await db
    .updateTable('ip_pool')
    .set((eb) => ({ allocated: eb('allocated', '+', change) }))
    .where('id', '=', poolId)
    .execute()
}

/**
 * Takes the lowest free address of a pool.
 * @returns its key
 * @throws ApiError 507 if there is none
 */
export async function takeAddress(db: Db, { id }: Pick<Pool, 'id'>): Promise<string> {
  const key = await takeOpening(
    () => takeLowest(db, id),
    () => openPool(db, { id }),
  )
  if (key === undefined) throw await exhausted(db, id)
  await count(db, id, 1)
  return key
}

/**
 * The key of the address that a pool would give out next; nothing is taken.
 * @throws ApiError 507 if there is none
 */
export async function nextAddress(db: Db, { id }: Pick<Pool, 'id'>): Promise<string> {
  const key = (await isOpen(db, id))
    ? await lowestFree(db, id)
    : (await rangesOf(db, id).limit(1).executeTakeFirst())?.first_key
  if (key === undefined) throw await exhausted(db, id)
  return key
}

async function exhausted(db: Db, id: string) {
  const pool = await readRow(db, 'ip_pool', id, 'id', 'name', 'ip_version', 'allocated')
  return fail.insufficientCapacity(poolExhausted(pool.name, await poolUse(db, pool)))
}

/** Takes the given address of a pool; false if it is in use. */
export async function takeThisAddress(
  db: Db,
  { id }: Pick<Pool, 'id'>,
  key: string,
): Promise<boolean> {
  const taken = await takeOpening(
    () => takeKey(db, id, key),
    () => openPool(db, { id }),
  )
  if (taken) await count(db, id, 1)
  return taken
}

/** Gives back an address that no longer has a holder. */
export async function giveBackAddress(db: Db, poolId: string, key: string): Promise<void> {
  await giveBack(db, poolId, key)
  await count(db, poolId, -1)
}
