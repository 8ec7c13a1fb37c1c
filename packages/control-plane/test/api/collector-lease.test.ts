/** The choice between several servers for collecting shared samples. */
import type { Sample } from '@steading/oxql'
import { sql } from 'kysely'
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { LEASE_MS } from '../../src/kernel/db/leases.ts'
import { memoryTimeSeries } from '@steading/time-series/memory'
import { noInstrumentation } from '../../src/kernel/instrumentation.ts'
import type { TimeSeriesStore } from '../../src/kernel/ports/time-series.ts'
import { createCollector } from '../../src/resources/observability/timeseries/collector.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'

/** Each round of a collector measures these parts, one after the other. */
const PARTS = ['first', 'second']

describe.runIf(inject('dialect') === 'postgres')('collectors on one database', () => {
  let server: TestServer
  let rounds = 0
  const log: string[] = []
  beforeAll(async () => {
    server = await startTestServer()
    await server.admin.call('storage_pool_create', {
      body: { name: 'shelf', description: '', type: 'directory', path: '/mnt/sim-shelf' },
    })
  })
  afterAll(() => server.close())

  /** No lease is renewed or expires by itself: the test advances time. */
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const passed = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    return () => {
      passed.mockRestore()
      vi.useRealTimers()
    }
  })
  /** The lease expires for all servers, as after a pause of that length. */
  async function leaseRunsOut(): Promise<void> {
    vi.mocked(performance.now).mockReturnValue(performance.now() + LEASE_MS)
    await server.db
      .updateTable('lease')
      .set({ lease_until: 0 })
      .where('id', '=', 'collection')
      .execute()
  }

  /** A server that measures its own id. */
  function join(id: string, store: TimeSeriesStore) {
    let between = async () => {}
    const collector = createCollector({
      database: server.host.controlPlane.database,
      store,
      measurements: {
        async *measure(): AsyncIterable<Sample[]> {
          for (const [index, part] of PARTS.entries()) {
            if (index > 0) await between()
            const timestamp = ++rounds
            yield [{ name: 'a:b', fields: { server: id, part }, timestamp, datum: 1 }]
          }
        },
      },
      own: { measures: noInstrumentation, calls: () => 0, samples: () => [] },
      serverId: id,
      clock: () => new Date(),
      log: (message) => void log.push(message),
    })
    onTestFinished(() => collector.stop())
    return {
      ...collector,
      /**
       * Pauses its next round in the middle.
       * @returns a promise for the pause, and a function that ends it
       */
      pause() {
        const paused = Promise.withResolvers<void>()
        const advance = Promise.withResolvers<void>()
        between = () => {
          paused.resolve()
          return advance.promise
        }
        return { paused: paused.promise, advance: advance.resolve }
      },
    }
  }
  /** Number of samples stored by each server for each part. */
  async function stored(store: TimeSeriesStore): Promise<Record<string, number>> {
    const series = await store.read({ name: 'a:b', where: [] }, 1_000)
    return Object.fromEntries(
      series.map(({ fields, timestamps }) => [
        `${fields.server as string} ${fields.part as string}`,
        timestamps.length,
      ]),
    )
  }

  test('have one measure, also the storage pools, and another one as soon as that one ended', async () => {
    const store = memoryTimeSeries()
    const [one, other] = [join('one', store), join('other', store)]
    for (let round = 0; round < 2; round++) {
      await one.round()
      await other.round()
    }
    expect(await stored(store)).toEqual({ 'one first': 2, 'one second': 2 })
    // Storage pools are due in the first of them.
    const pools = await store.read({ name: 'zfs_pool:bytes_total', where: [] }, 1_000)
    expect(pools).toMatchObject([{ fields: { pool_name: 'shelf' } }])
    expect(pools[0]!.timestamps).toHaveLength(1)
    await one.stop()
    await other.round()
    expect(await stored(store)).toMatchObject({ 'other first': 1, 'other second': 1 })
  })

  test('store nothing more of a round after a pause longer than the lease', async () => {
    const store = memoryTimeSeries()
    const [one, other] = [join('one', store), join('other', store)]
    await one.round()
    const { paused, advance } = one.pause()
    const late = one.round()
    await paused
    await leaseRunsOut()
    await other.round()
    advance()
    await late
    await other.round()
    expect(await stored(store)).toEqual({
      'one first': 2,
      'one second': 1,
      'other first': 2,
      'other second': 2,
    })
  })

  test('continue with the next round after a pause, if no other one has taken over', async () => {
    const store = memoryTimeSeries()
    const one = join('one', store)
    await one.round()
    await leaseRunsOut()
    await one.round()
    expect(await stored(store)).toEqual({ 'one first': 2, 'one second': 2 })
  })

  test('lose no round by a failed renewal, which is logged once', async () => {
    log.length = 0
    const store = memoryTimeSeries()
    const one = join('one', store)
    await one.round()
    await sql`alter table lease add constraint kept check (id <> 'collection') not valid`.execute(
      server.db,
    )
    await vi.advanceTimersByTimeAsync(LEASE_MS)
    await one.round()
    await vi.waitFor(() => expect(log).toEqual(['keeping the lease "collection" failed']), 30_000)
    await one.round()
    await sql`alter table lease drop constraint kept`.execute(server.db)
    await leaseRunsOut()
    await one.round()
    expect(await stored(store)).toEqual({ 'one first': 4, 'one second': 4 })
    expect(log).toHaveLength(1)
  })

  test('leave the lease to the server that holds the store', async () => {
    const store = memoryTimeSeries()
    let owner = 'one'
    const ownedBy = (id: string): TimeSeriesStore => ({
      ...store,
      isElsewhere: async () => owner !== id,
    })
    const [one, other] = [join('one', ownedBy('one')), join('other', ownedBy('other'))]
    await one.round()
    await other.round()
    owner = 'other'
    await vi.advanceTimersByTimeAsync(LEASE_MS)
    await vi.waitFor(async () => {
      await other.round()
      expect(await stored(store)).toMatchObject({ 'other first': 1, 'other second': 1 })
    }, 30_000)
  })
})
