/**
 * Free blocks of an address range: networks that are entirely free and not inside of a larger free
 * network. So every free network is in exactly one block, and the lowest free network of a length
 * is at the beginning of the lowest block of that length or a shorter one. Taking a network splits
 * a block, and giving it back merges blocks; each reads at most one block per length, however many
 * networks are in use. Only transactions that run alone write here.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { flippedKey, maskedKey } from './keys.ts'
import './table.ts'

/** A network: the key of its first address, and the length of its prefix. */
export interface Block {
  first_key: string
  prefix_length: number
}

const insert = async (db: Db, space_id: string, blocks: Block[]): Promise<void> => {
  if (blocks.length === 0) return
  await db
    .insertInto('free_block')
    .values(blocks.map((block) => ({ space_id, ...block })))
    .execute()
}

const remove = async (db: Db, spaceId: string, keys: string[]): Promise<void> => {
  if (keys.length === 0) return
  await db
    .deleteFrom('free_block')
    .where('space_id', '=', spaceId)
    .where('first_key', 'in', keys)
    .execute()
}

const withKeys = (db: Db, spaceId: string, keys: string[]): Promise<Block[]> =>
  db
    .selectFrom('free_block')
    .select(['first_key', 'prefix_length'])
    .where('space_id', '=', spaceId)
    .where('first_key', 'in', [...new Set(keys)])
    .execute()

/** Creates a space with one block, all of it free. */
export async function addBlocks(db: Db, spaceId: string, whole: Block): Promise<void> {
  await db.insertInto('address_space').values({ id: spaceId }).execute()
  await insert(db, spaceId, [whole])
}

/** SQL that is true of spaces in which a network of a length is free. */
export const hasFree = (spaceId: string, length: number): RawBuilder<boolean> =>
  sql`exists (select 1 from free_block
    where space_id = ${sql.ref(spaceId)} and prefix_length <= ${length})`

/** Takes a network out of the block that contains it. */
async function split(db: Db, spaceId: string, block: Block, wanted: Block): Promise<void> {
  await remove(db, spaceId, [block.first_key])
  const others: Block[] = []
  for (let length = block.prefix_length + 1; length <= wanted.prefix_length; length++) {
    const half = maskedKey(wanted.first_key, length)
    others.push({ first_key: flippedKey(half, length), prefix_length: length })
  }
  await insert(db, spaceId, others)
}

/** Takes the lowest free network of a length; undefined if there is none. */
export async function takeLowestBlock(
  db: Db,
  spaceId: string,
  length: number,
): Promise<Block | undefined> {
  // The lengths of the blocks are read one by one along the index, however many blocks there are.
  const next = (condition: RawBuilder<unknown>) =>
    sql`(select min(prefix_length) from free_block
      where space_id = ${spaceId} and prefix_length <= ${length} ${condition})`
  const { rows } = await sql<Block>`
    with recursive found(prefix_length) as (
      select ${next(sql``)}
      union all
      select ${next(sql`and prefix_length > found.prefix_length`)}
      from found where prefix_length is not null
    )
    select prefix_length, (
      select min(first_key) from free_block
      where space_id = ${spaceId} and free_block.prefix_length = found.prefix_length
    ) as first_key
    from found where prefix_length is not null
    order by first_key limit 1`.execute(db)
  const [block] = rows
  if (!block) return undefined
  const wanted = { first_key: block.first_key, prefix_length: length }
  await split(db, spaceId, block, wanted)
  return wanted
}

/** Takes the given network; false if a part of it is not free. */
export async function takeBlock(db: Db, spaceId: string, wanted: Block): Promise<boolean> {
  const { first_key, prefix_length } = wanted
  const around = Array.from({ length: prefix_length + 1 }, (_, length) =>
    maskedKey(first_key, length),
  )
  const block = (await withKeys(db, spaceId, around)).find(
    (one) => one.prefix_length <= prefix_length && around[one.prefix_length] === one.first_key,
  )
  if (!block) return false
  await split(db, spaceId, block, wanted)
  return true
}

/**
 * Gives a network back.
 * @param width prefix length of the whole space
 */
export async function giveBackBlock(
  db: Db,
  spaceId: string,
  { first_key, prefix_length }: Block,
  width: number,
): Promise<void> {
  const besideAt = (length: number) => flippedKey(maskedKey(first_key, length), length)
  const lengths = Array.from({ length: prefix_length - width }, (_, i) => prefix_length - i)
  const beside = lengths.length > 0 ? await withKeys(db, spaceId, lengths.map(besideAt)) : []
  const isFree = (key: string, length: number) =>
    beside.some((one) => one.first_key === key && one.prefix_length === length)
  const joined: string[] = []
  let length = prefix_length
  while (length > width && isFree(besideAt(length), length)) {
    joined.push(besideAt(length))
    length--
  }
  await remove(db, spaceId, joined)
  await insert(db, spaceId, [{ first_key: maskedKey(first_key, length), prefix_length: length }])
}
