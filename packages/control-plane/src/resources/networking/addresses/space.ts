/**
 * The free addresses of a pool or a subnet, as ranges. Finding, taking and giving back an address
 * is one step on an index by key, however many addresses are in use. Only transactions that run
 * alone write here, because all of them want the lowest range.
 */
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { findRow } from '../../../kernel/db/rows.ts'
import { nextKey, previousKey } from './keys.ts'
import './table.ts'

/** A range of keys; both ends belong to it. */
export interface KeyRange {
  first_key: string
  last_key: string
}

export interface AddressSpace {
  id: string
  /** In order, without overlap. */
  ranges: readonly KeyRange[]
  /** Keys in use, in order and without repetition. Read once, to compute the free ranges. */
  used: (within: KeyRange) => AsyncIterable<string>
}

/** Number of rows inserted at once. */
const PIECE = 500

/** Computes the free ranges of a space from the keys in use. */
async function* freeRanges({ ranges, used }: AddressSpace): AsyncGenerator<KeyRange> {
  for (const range of ranges) {
    let first_key = range.first_key
    let full = false
    for await (const key of used(range)) {
      if (key < range.first_key || key > range.last_key) continue
      if (key > first_key) yield { first_key, last_key: previousKey(key) }
      full = key === range.last_key
      if (!full) first_key = nextKey(key)
    }
    if (!full) yield { first_key, last_key: range.last_key }
  }
}

/** Deletes the stored free ranges of a space; they are computed again when an address is needed. */
export async function closeSpace(db: Db, id: string): Promise<void> {
  await db.deleteFrom('address_space').where('id', '=', id).execute()
}

/** Whether the free ranges of a space are stored. */
export async function isOpen(db: Db, id: string): Promise<boolean> {
  const row = await findRow(db, 'address_space', id, 'id')
  return row !== undefined
}

/**
 * Makes sure that the free ranges of a space are stored.
 * @returns whether they were computed now
 */
export async function openSpace(db: Db, space: AddressSpace): Promise<boolean> {
  if (await isOpen(db, space.id)) return false
  await db.insertInto('address_space').values({ id: space.id }).execute()
  let piece: (KeyRange & { space_id: string })[] = []
  const insert = async () => {
    if (piece.length > 0) await db.insertInto('free_address').values(piece).execute()
    piece = []
  }
  for await (const range of freeRanges(space)) {
    if (piece.push({ space_id: space.id, ...range }) === PIECE) await insert()
  }
  await insert()
  return true
}

/**
 * Takes from a space; a closed space has nothing to take, so it is then opened for a second
 * attempt.
 * @param take returns undefined or false if it finds nothing
 * @param open returns whether the free ranges were computed now
 */
export async function takeOpening<T>(
  take: () => Promise<T>,
  open: () => Promise<boolean>,
): Promise<T> {
  const taken = await take()
  return !taken && (await open()) ? take() : taken
}

/** Cuts a key out of a free range. */
async function cut(db: Db, spaceId: string, range: KeyRange, key: string): Promise<void> {
  const { first_key, last_key } = range
  const rows = db
    .updateTable('free_address')
    .where('space_id', '=', spaceId)
    .where('first_key', '=', first_key)
  if (first_key === last_key) {
    await db
      .deleteFrom('free_address')
      .where('space_id', '=', spaceId)
      .where('first_key', '=', first_key)
      .execute()
  } else if (key === first_key) {
    await rows.set({ first_key: nextKey(key) }).execute()
  } else {
    await rows.set({ last_key: previousKey(key) }).execute()
    if (key === last_key) return
    const rest = { space_id: spaceId, first_key: nextKey(key), last_key }
    await db.insertInto('free_address').values(rest).execute()
  }
}

const lowestRange = (db: Db, spaceId: string): Promise<KeyRange | undefined> =>
  db
    .selectFrom('free_address')
    .select(['first_key', 'last_key'])
    .where('space_id', '=', spaceId)
    .orderBy('first_key')
    .limit(1)
    .executeTakeFirst()

/** The lowest free address of an open space, which stays free; undefined if there is none. */
export const lowestFree = async (db: Db, spaceId: string): Promise<string | undefined> =>
  (await lowestRange(db, spaceId))?.first_key

/** Takes the lowest free address of an open space; undefined if there is none. */
export async function takeLowest(db: Db, spaceId: string): Promise<string | undefined> {
  const range = await lowestRange(db, spaceId)
  if (range) await cut(db, spaceId, range, range.first_key)
  return range?.first_key
}

/** The free range that contains a key, or else the one below it. */
const rangeBelow = (db: Db, spaceId: string, key: string) =>
  db
    .selectFrom('free_address')
    .select(['first_key', 'last_key'])
    .where('space_id', '=', spaceId)
    .where('first_key', '<=', key)
    .orderBy('first_key', 'desc')
    .limit(1)

/** Takes one address of an open space; false if it is not free. */
export async function takeKey(db: Db, spaceId: string, key: string): Promise<boolean> {
  const range = await rangeBelow(db, spaceId, key).executeTakeFirst()
  if (!range || range.last_key < key) return false
  await cut(db, spaceId, range, key)
  return true
}

/**
 * Gives an address back. A closed space needs no change: its free ranges are computed from the keys
 * in use.
 */
export async function giveBack(db: Db, spaceId: string, key: string): Promise<void> {
  const { rows: ranges } = await sql<KeyRange>`
    select first_key, last_key from free_address
    where space_id = ${spaceId} and first_key in (${nextKey(key)}, (
      select max(first_key) from free_address where space_id = ${spaceId} and first_key <= ${key}
    ))`.execute(db)
  // Deleting a space also deletes its free ranges.
  if (ranges.length === 0 && !(await isOpen(db, spaceId))) return
  const above = ranges.find(({ first_key }) => first_key > key)
  const below = ranges.find(({ last_key }) => nextKey(last_key) === key)
  const rangeAt = (first_key: string) =>
    db
      .updateTable('free_address')
      .where('space_id', '=', spaceId)
      .where('first_key', '=', first_key)
  if (above && below) {
    await db
      .deleteFrom('free_address')
      .where('space_id', '=', spaceId)
      .where('first_key', '=', above.first_key)
      .execute()
  }
  if (below) {
    const last_key = above?.last_key ?? key
    await rangeAt(below.first_key).set({ last_key }).execute()
  } else if (above) {
    await rangeAt(above.first_key).set({ first_key: key }).execute()
  } else {
    const range = { space_id: spaceId, first_key: key, last_key: key }
    await db.insertInto('free_address').values(range).execute()
  }
}

/** Adds a range to a space that has no address in it. */
export async function addToSpace(db: Db, spaceId: string, range: KeyRange): Promise<void> {
  if (!(await isOpen(db, spaceId))) return
  await db
    .insertInto('free_address')
    .values({ space_id: spaceId, ...range })
    .execute()
}

/** Removes a range from a space. None of its addresses may be in use. */
export async function removeFromSpace(db: Db, spaceId: string, range: KeyRange): Promise<void> {
  // All of it is free, so it lies in one free range, perhaps merged with its neighbours.
  const free = await rangeBelow(db, spaceId, range.first_key).executeTakeFirst()
  if (!free) return
  await db
    .deleteFrom('free_address')
    .where('space_id', '=', spaceId)
    .where('first_key', '=', free.first_key)
    .execute()
  const rest: KeyRange[] = []
  if (free.first_key < range.first_key) {
    rest.push({ first_key: free.first_key, last_key: previousKey(range.first_key) })
  }
  if (free.last_key > range.last_key) {
    rest.push({ first_key: nextKey(range.last_key), last_key: free.last_key })
  }
  if (rest.length === 0) return
  await db
    .insertInto('free_address')
    .values(rest.map((part) => ({ space_id: spaceId, ...part })))
    .execute()
}
