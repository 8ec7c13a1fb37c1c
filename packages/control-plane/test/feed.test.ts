/** What followers of the outbox see when several processes write to it. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqlite } from '../../node/src/sqlite.ts'
import { type OpenDatabase, openDatabase } from '../src/kernel/db/database.ts'
import { createEventFeed, type EventFeed } from '../src/kernel/events/feed.ts'

let database: OpenDatabase
let feed: EventFeed
let leaving: AbortController
beforeEach(async () => {
  database = await openDatabase(openSqlite(':memory:'))
  feed = createEventFeed(database.db)
  leaving = new AbortController()
})
afterEach(async () => {
  leaving.abort()
  feed.close()
  await database.close()
})

/** An id is given out when a transaction writes, and seen when it commits: not in that order. */
async function commit(...ids: number[]) {
  for (const id of ids) {
    await database.db
      .insertInto('event')
      .values({
        id,
        time: '2030-01-01T00:00:00Z',
        resource: 'projects',
        action: 'create',
        resource_id: String(id),
        name: '',
        silo_id: null,
        project_id: null,
      })
      .execute()
  }
  feed.notify()
}

async function follow(after?: number) {
  const events = await feed.follow(after, leaving.signal)
  return async () => {
    const { value, done } = await events.next()
    if (done) return 'end'
    return value === 'reset' ? value : value!.map(({ id }) => id)
  }
}

test('a follower is told of what happens from now on', async () => {
  await commit(1, 2)
  const next = await follow()
  await commit(3)
  expect(await next()).toEqual([3])
  const waiting = next()
  await commit(4, 5)
  expect((await waiting) as number[]).toContain(4)
})

test('what was committed late is told late, and once', async () => {
  await commit(1, 4)
  const next = await follow()
  // Their ids were given out before 4 was committed.
  await commit(3)
  expect(await next()).toEqual([3])
  await commit(2, 5)
  expect(await next()).toEqual([2, 5])
  await commit(6)
  expect(await next()).toEqual([6])
})

test('so it is for one who comes back', async () => {
  await commit(1, 3, 4)
  const next = await follow(3)
  expect(await next()).toEqual([4])
  await commit(2)
  expect(await next()).toEqual([2])
})

test('much is told in pieces', async () => {
  const many = Array.from({ length: 700 }, (_, index) => index + 1)
  await commit(0)
  const next = await follow(0)
  await commit(...many)
  const told: number[] = []
  while (told.length < many.length) told.push(...((await next()) as number[]))
  expect(told).toEqual(many)
})

test('a gap in what is kept is told, not bridged', async () => {
  await commit(10, 11)
  expect(await (await follow(8))()).toBe('reset')
  expect(await (await follow(12))()).toBe('reset')
  expect(await (await follow(9))()).toEqual([10, 11])
})

test('leaving ends it, and so does closing', async () => {
  const next = await follow()
  const waiting = next()
  leaving.abort()
  expect(await waiting).toBe('end')
  leaving = new AbortController()
  const another = (await follow())()
  feed.close()
  expect(await another).toBe('end')
})
