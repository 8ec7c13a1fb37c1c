/**
 * Events of transactions that commit in another order than they began: on PostgreSQL, which assigns
 * ids before the commit. SQLite has one writer.
 */
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { Client } from 'pg'
import type { Dialect } from '../../src/kernel/db/database.ts'
import { adoptEvents } from '../../src/kernel/events/outbox.ts'
import { createEventFeed } from '../../src/kernel/events/feed.ts'
import { commitEvents, followFeed } from '../support/feed.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'

const dialect: Dialect = inject('dialect')
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  // The first look at the installed software ends with an event that would come in between.
  const look = server.db
    .selectFrom('system_update')
    .select('id')
    .where('seen', 'like', '%"serial"%')
  await vi.waitFor(() => look.executeTakeFirstOrThrow(), { timeout: 120_000 })
  await server.db.deleteFrom('event').execute()
})
afterAll(() => server.close())

function openFeed() {
  const feed = createEventFeed(server.db, dialect, () => {})
  onTestFinished(() => feed.close())
  return feed
}

/** An open transaction with events. */
async function begin() {
  const client = new Client({ connectionString: server.databaseUrl })
  await client.connect()
  await client.query('begin')
  const write = async () => {
    const { rows } = await client.query<{ id: string }>(
      `insert into event (time, resource, action, resource_id, name)
       values ('2030-01-01T00:00:00Z', 'projects', 'create', '', '') returning id`,
    )
    return Number(rows[0]!.id)
  }
  const end = async (how: 'commit' | 'rollback') => {
    await client.query(how)
    await client.end()
  }
  return { write, end }
}

/** The events a follower receives, up to the given one. */
async function tellUntil(next: () => Promise<number[] | 'reset' | 'end'>, last: number) {
  const told: number[] = []
  while (!told.includes(last)) {
    const batch = await next()
    if (typeof batch === 'string') throw new Error(batch)
    told.push(...batch)
  }
  return told
}

test.skipIf(dialect === 'sqlite').each([1, 80, 500])(
  'a transaction that commits %i events later than others is told, to all, once',
  async (count) => {
    const feed = openFeed()
    const { next } = await followFeed(feed)
    const late = await begin()
    const first = await late.write()
    const others = []
    for (let event = 0; event < count; event++) others.push(...(await commitEvents(server.db, 1)))
    feed.notify()
    const second = await late.write()
    await late.end('commit')
    feed.notify()
    const [last] = await commitEvents(server.db, 1)
    feed.notify()
    const told = await tellUntil(next, last!)
    expect(told.toSorted((a, b) => a - b)).toEqual([first, ...others, second, last])
    // Another server delivers the same in the same order, from any position.
    for (const [index, id] of told.entries()) {
      if (index % 25 !== 0 || id === last) continue
      const again = await followFeed(openFeed(), id)
      expect(await tellUntil(again.next, last!)).toEqual(told.slice(index + 1))
      again.leave()
    }
  },
)

test.skipIf(dialect === 'sqlite')(
  'one that is rolled back holds up the others no longer',
  async () => {
    const feed = openFeed()
    const { next } = await followFeed(feed)
    const undone = await begin()
    await undone.write()
    const ids = await commitEvents(server.db, 3)
    feed.notify()
    await undone.end('rollback')
    // No wake-up announces it: the feed finds it by polling.
    expect(await next()).toEqual(ids)
  },
)

test('delivers everything once to followers that come and go, with many writers', async () => {
  const feed = openFeed()
  const told: number[] = []
  const reader = async () => {
    let after: number | undefined
    for (;;) {
      // It reconnects after every third batch, to another server or the same.
      const { next, leave } = await followFeed(told.length % 2 ? openFeed() : feed, after)
      if (after === undefined) ready.resolve()
      for (let batches = 0; batches < 3; batches++) {
        const batch = await next()
        if (typeof batch === 'string') throw new Error(batch)
        told.push(...batch)
        after = told.at(-1)
        if (batch.includes(lastId)) return
      }
      leave()
    }
  }
  const ready = Promise.withResolvers<void>()
  let lastId = -1
  const reading = reader()
  await ready.promise
  const written: number[] = []
  const writer = async () => {
    for (let round = 0; round < 25; round++) {
      const ids = await server.host.controlPlane.database.concurrently(async (tx) => [
        ...(await commitEvents(tx, 1 + (round % 3))),
        ...(await commitEvents(tx, 1)),
      ])
      written.push(...ids)
      feed.notify()
    }
  }
  await Promise.all(Array.from({ length: 8 }, writer))
  ;[lastId] = (await commitEvents(server.db, 1)) as [number]
  feed.notify()
  await reading
  expect(told.toSorted((a, b) => a - b)).toEqual([...written, lastId].toSorted((a, b) => a - b))
})

test.skipIf(dialect === 'sqlite')(
  'events of another installation come before new ones',
  async () => {
    const ids = await commitEvents(server.db, 2)
    await server.db
      .updateTable('event')
      .set({ tx: 2 ** 50 })
      .where('id', 'in', ids)
      .execute()
    await adoptEvents(server.db)
    const { next } = await followFeed(openFeed(), ids[0])
    expect((await next())[0]).toBe(ids[1])
  },
)
