/** Followers of the outbox on SQLite, which has one writer. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EVENT_STREAMS_MAX } from '@steading/api/rules'
import type { OpenDatabase } from '../src/kernel/db/database.ts'
import { createEventFeed, type EventFeed } from '../src/kernel/events/feed.ts'
import { commitEvents, followFeed } from './support/feed.ts'
import { openMigrated } from './support/migrated.ts'

let database: OpenDatabase
let feed: EventFeed
beforeEach(async () => {
  database = await openMigrated()
  feed = createEventFeed(database.db, 'sqlite', () => {})
})
afterEach(async () => {
  feed.close()
  await database.close()
})

async function commit(count: number): Promise<number[]> {
  const ids = await commitEvents(database.db, count)
  feed.notify()
  return ids
}
const follow = (after?: number) => followFeed(feed, after)

test('a follower receives later events', async () => {
  await commit(2)
  const { next } = await follow()
  const [third] = await commit(1)
  expect(await next()).toEqual([third])
  const waiting = next()
  const more = await commit(2)
  expect(await waiting).toEqual(more)
})

test('a returning follower continues after its last event', async () => {
  const ids = await commit(4)
  expect(await (await follow(ids[1])).next()).toEqual(ids.slice(2))
  const { next } = await follow(ids[3])
  const later = await commit(1)
  expect(await next()).toEqual(later)
})

test('many events arrive in batches, in order and once', async () => {
  const [first] = await commit(1)
  const { next } = await follow(first)
  const many = await commit(1_300)
  const told: number[] = []
  while (told.length < many.length) told.push(...((await next()) as number[]))
  expect(told).toEqual(many)
})

test('a follower with an unknown or removed last event starts afresh', async () => {
  const ids = await commit(3)
  await database.db.deleteFrom('event').where('id', '<=', ids[1]!).execute()
  for (const unknown of [ids[1], ids[2]! + 100]) {
    const { next } = await follow(unknown)
    expect(await next()).toBe('reset')
    const later = await commit(1)
    expect(await next()).toEqual(later)
  }
})

test('a slow follower starts afresh, without delaying the others', async () => {
  const slow = await follow()
  const { next } = await follow()
  const ids: number[] = []
  const told: number[] = []
  for (let round = 0; round < 9; round++) {
    ids.push(...(await commit(500)))
    while (told.length < ids.length) told.push(...((await next()) as number[]))
  }
  expect(told).toEqual(ids)
  expect(await slow.next()).toBe('reset')
  const later = await commit(1)
  expect(await slow.next()).toEqual(later)
})

test('all followers together read the outbox once per commit', async () => {
  const followers = await Promise.all(Array.from({ length: EVENT_STREAMS_MAX }, () => follow()))
  const read = vi.spyOn(database.db.getExecutor(), 'executeQuery')
  const ids = await commitEvents(database.db, 1)
  read.mockClear()
  feed.notify()
  for (const { next } of followers) expect(await next()).toEqual(ids)
  expect(read).toHaveBeenCalledTimes(1)
})

test('limits the followers per user', async () => {
  const followers = await Promise.all(Array.from({ length: EVENT_STREAMS_MAX }, () => follow()))
  await expect(follow()).rejects.toMatchObject({ template: { status: 429 } })
  await followFeed(feed, undefined, 'another user')
  followers[0]!.leave()
  await follow()
})

test('closing ends all followers', async () => {
  const { next } = await follow()
  const waiting = next()
  feed.close()
  expect(await waiting).toBe('end')
})

test('a follower that joins during the read for one that left receives each event once', async () => {
  const executor = database.db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  for (let round = 0; round < 20; round++) {
    const [first] = await commit(1)
    const { leave } = await follow()
    const ids = await commitEvents(database.db, 3)
    // The read started here is in progress when its follower leaves.
    const held = Promise.withResolvers<void>()
    const slow = vi.spyOn(executor, 'executeQuery').mockImplementationOnce(async (...query) => {
      const result = await execute(...query)
      await held.promise
      return result
    })
    feed.notify()
    await vi.waitFor(() => expect(slow).toHaveBeenCalled(), 30_000)
    leave()
    const coming = follow(first)
    held.resolve()
    const { next, leave: leaveAgain } = await coming
    slow.mockRestore()
    expect(await next()).toEqual(ids)
    const later = await commit(1)
    expect(await next()).toEqual(later)
    leaveAgain()
  }
})
