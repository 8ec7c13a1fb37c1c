/** Time series queries whose clients disconnect. */
import type { Sample } from '@steading/oxql'
import { QUERIES_AT_ONCE } from '@steading/api/rules'
import { expect, test } from 'vitest'
import { memoryTimeSeries } from '@steading/time-series/memory'
import { createTimeseriesQueries } from '../src/resources/observability/timeseries/query.ts'

const now = new Date()
const query = 'get switch_rib:active_routes | filter timestamp > @now() - 1h | last 1'
const sample: Sample = {
  name: 'switch_rib:active_routes',
  fields: { hostname: 'switch', rack_id: crypto.randomUUID(), sled_id: crypto.randomUUID() },
  timestamp: now.getTime() - 60_000,
  datum: 7,
}

/** The error of an answer without a reader. */
const unread = { template: { status: 503 } }

test('does not evaluate a query once its client is gone, and gives its turn to others', async () => {
  const store = memoryTimeSeries()
  await store.append([sample])
  const reading: (() => void)[] = []
  const queries = createTimeseriesQueries({
    ...store,
    async read(...wanted) {
      await new Promise<void>((resolve) => reading.push(resolve))
      return store.read(...wanted)
    },
  })
  const ask = (client = new AbortController()) => queries.run(query, [], now, client.signal)
  const clients = Array.from({ length: QUERIES_AT_ONCE }, () => new AbortController())
  const gone = clients.map((client) => ask(client))
  const leaving = new AbortController()
  const left = ask(leaving)
  const stays = ask()
  await expect.poll(() => reading.length).toBe(QUERIES_AT_ONCE)
  // A waiting query is answered at once.
  leaving.abort()
  await expect(left).rejects.toMatchObject(unread)
  for (const client of clients) client.abort()
  for (const resolve of reading.splice(0)) resolve()
  for (const outcome of await Promise.allSettled(gone)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: unread })
  }
  await expect.poll(() => reading.length).toBe(1)
  reading[0]!()
  expect((await stays).status).toBe(200)
})
