import { canonicalRange, ipPoolMessages, type IpRange, poolRangeProblem } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { Writing } from '../../../kernel/work.ts'
import { addToSpace, type KeyRange, removeFromSpace } from '../addresses/space.ts'
import { isClaimed } from '../pools/blocks.ts'
import { emitPoolEvents } from '../pools/links.ts'
import { rangesOf } from './addresses.ts'
import { addressHolders } from './holders.ts'
import { ipPools } from './links.ts'
import { keysOf, rangeOf, type RangeRow } from './wire.ts'

type Pool = Row<'system_ip_pool'>

/**
 * @throws ApiError 400 for a range that a pool of this kind cannot have, or that overlaps with
 *   another
 */
export async function addRange(writing: Writing, pool: Pool, asked: IpRange): Promise<RangeRow> {
  const { db, now } = writing
  const range = canonicalRange(asked)
  const others = await rangesOf(db, pool.id).execute()
  const problem = poolRangeProblem(pool, range, others.map(rangeOf))
  if (problem) throw fail.invalidRequest(problem)
  const keys = keysOf(range)
  if (await isClaimed(db, keys)) throw fail.invalidRequest(ipPoolMessages.overlap(range))
  const row: RangeRow = {
    id: crypto.randomUUID(),
    ip_pool_id: pool.id,
    ...keys,
    time_created: now.toISOString(),
  }
  await db.insertInto('ip_pool_range').values(row).execute()
  await addToSpace(db, pool.id, keys)
  await emitPoolEvents(writing, ipPools, pool, 'update')
  return row
}

/** The holder of an address in a range, if there is any. */
async function holderIn(db: Db, poolId: string, range: KeyRange): Promise<string | undefined> {
  for (const { table, words } of addressHolders()) {
    const { rows } = await sql`
      select 1 from ${sql.table(table)} where ip_pool_id = ${poolId}
        and ip_key >= ${range.first_key} and ip_key <= ${range.last_key} limit 1`.execute(db)
    if (rows.length > 0) return words
  }
  return undefined
}

/** @throws ApiError 400 for a range that the pool does not have, or with an address in use */
export async function removeRange(writing: Writing, pool: Pool, asked: IpRange): Promise<void> {
  const { db } = writing
  const range = canonicalRange(asked)
  const keys = keysOf(range)
  const removed = await db
    .deleteFrom('ip_pool_range')
    .where('ip_pool_id', '=', pool.id)
    .where('first_key', '=', keys.first_key)
    .where('last_key', '=', keys.last_key)
    .returning('id')
    .executeTakeFirst()
  if (!removed) throw fail.invalidRequest(ipPoolMessages.noRange(range))
  const holders = await holderIn(db, pool.id, keys)
  if (holders) throw fail.invalidRequest(ipPoolMessages.rangeInUse(holders))
  await removeFromSpace(db, pool.id, keys)
  await emitPoolEvents(writing, ipPools, pool, 'update')
}

/**
 * Removes all ranges of a pool.
 * @throws ApiError 400 if an address of it is in use
 */
export async function removeRanges(writing: Writing, pool: Pool): Promise<void> {
  for (const range of await rangesOf(writing.db, pool.id).execute()) {
    await removeRange(writing, pool, rangeOf(range))
  }
}
