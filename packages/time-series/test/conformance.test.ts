/** Conformance tests of all time series stores. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sample, type Selection, type Series, TooManyPoints } from '@steading/oxql'
import fc from 'fast-check'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  startVictoriaMetrics,
  type TestVictoriaMetrics,
  victoriaMetricsMissing,
} from './support/victoria-metrics.ts'
import {
  type MakeStore,
  type StoreUnderTest,
  stores,
  victoriaMetricsStore,
} from './support/stores.ts'
import { long } from '../../control-plane/test/support/long.ts'

/** An acceptable time: the newest data of a store must not be in the future. */
const BEGIN = Math.floor(Date.now() / 1000) * 1000 - 3_600_000
const ALL = 1_000_000

const gauge = (id: string, at: number, datum: Sample['datum']): Sample => ({
  name: 'room:temperature',
  fields: { id, floor: 3 },
  timestamp: BEGIN + at,
  datum,
})

const byFields = (list: readonly Series[]) =>
  list.toSorted((a, b) => (JSON.stringify(a.fields) < JSON.stringify(b.fields) ? -1 : 1))

const missing = victoriaMetricsMissing()
if (missing) console.warn(`The tests on VictoriaMetrics are left out: ${missing}.`)

/** Started by the first test that needs it, and shared. */
let victoriaMetrics: Promise<TestVictoriaMetrics> | undefined
const home = mkdtempSync(join(tmpdir(), 'steading-victoria-'))
afterAll(async () => {
  await (await victoriaMetrics)?.stop()
  rmSync(home, { recursive: true, force: true })
})
const inVictoriaMetrics: MakeStore = async () => {
  victoriaMetrics ??= startVictoriaMetrics(home)
  return victoriaMetricsStore(await victoriaMetrics)
}

const all = { ...stores, ...(!missing && { VictoriaMetrics: inVictoriaMetrics }) }

describe.for(Object.entries(all))('%s', ([name, make]) => {
  const use = async (): Promise<StoreUnderTest> => {
    const used = await make()
    onTestFinished(used.close)
    return used
  }
  const read = async (
    { store }: Pick<StoreUnderTest, 'store'>,
    selection: Partial<Selection> = {},
    maxPoints = ALL,
  ) => byFields(await store.read({ name: 'room:temperature', where: [], ...selection }, maxPoints))

  test('aborts a read', async () => {
    const { store } = await use()
    await store.append([gauge('a', 0, 20)])
    const gone = new Error('the client has gone')
    const room: Selection = { name: 'room:temperature', where: [] }
    const client = new AbortController()
    expect(await store.read(room, ALL, client.signal)).toHaveLength(1)
    client.abort(gone)
    await expect(store.read(room, ALL, client.signal)).rejects.toBe(gone)
    // Data in memory is read synchronously.
    if (name === 'in memory') return
    const leaving = new AbortController()
    const reading = store.read(room, ALL, leaving.signal)
    leaving.abort(gone)
    await expect(reading).rejects.toBe(gone)
  })

  test('returns appended samples, at once and after a restart', async () => {
    const used = await use()
    const histogram = (counts: number[]) => ({
      bins: [0, 10, 100],
      counts,
      min: 0.5,
      max: 1e9,
      sumOfSamples: 123.25,
      squaredMean: 1e-9,
    })
    const kinds: Record<string, Omit<Sample, 'name' | 'fields' | 'timestamp'>[]> = {
      'a:gauge': [20.5, -0, 0, 1e308, 5e-324, 0.1 + 0.2, -1e-7, null, 2 ** 53 - 1].map((datum) => ({
        datum,
      })),
      'a:single': [21.3, 21.4, 99.9].map((value) => ({ datum: Math.fround(value) })),
      'a:flag': [1, 0, null, 1].map((datum) => ({ datum })),
      // It restarts twice, and one measurement failed.
      'a:counter': [7, 2 ** 53 - 1, 3, null, 4, 0].map((datum, index) => ({
        datum,
        startTime: BEGIN - 500 + 1_000 * (index >> 1),
      })),
      'a:histogram': [histogram([1, 0, 0]), histogram([1, 2, 0]), null, histogram([0, 0, 1])].map(
        (datum) => ({ datum, startTime: BEGIN - 9_999 }),
      ),
      'a:missing': [{ datum: null }],
    }
    const fields = {
      text: 'a "quoted" text\\ with\nlines, ünïcode and {braces}',
      empty: '',
      number: -5,
      numeric: '-5',
      big: 2 ** 53 - 1,
      yes: true,
      no: false,
      truthy: 'true',
      address: 'fd00::1',
    }
    const samples = Object.entries(kinds).flatMap(([name, points]) =>
      points.map((point, index) => ({ name, fields, timestamp: BEGIN + index * 1_000, ...point })),
    )
    await used.store.append(samples)
    const check = async (store: StoreUnderTest['store']) => {
      for (const [name, points] of Object.entries(kinds)) {
        const timestamps = points.map((_, index) => BEGIN + index * 1_000)
        const startTimes = points.map(({ startTime }) => startTime)
        expect(await store.read({ name, where: [] }, ALL)).toEqual([
          {
            fields,
            timestamps,
            ...(startTimes[0] !== undefined && { startTimes }),
            values: points.map(({ datum }) => datum),
          },
        ])
      }
      expect(await store.read({ name: 'a:nothing', where: [] }, ALL)).toEqual([])
    }
    await check(used.store)
    if (used.restart) await check(await used.restart())
  })

  test('selects series by fields and points by time', async () => {
    const used = await use()
    const at = [0, 1_000, 2_000, 3_000]
    const rooms = ['kitchen', 'hall', 'hall-2']
    await used.store.append(
      at.flatMap((time) => rooms.map((id, index) => gauge(id, time, index * 10 + time / 1_000))),
    )
    // The same name with other fields.
    await used.store.append([
      { name: 'room:temperature', fields: { id: 'roof', wind: true }, timestamp: BEGIN, datum: 1 },
    ])
    const ids = async (...where: Selection['where']) =>
      (await read(used, { where })).map(({ fields }) => fields.id)
    expect(await ids()).toEqual(['hall', 'hall-2', 'kitchen', 'roof'])
    expect(await ids({ field: 'id', comparison: '==', value: 'hall' })).toEqual(['hall'])
    expect(await ids({ field: 'id', comparison: '!=', value: 'hall' })).toEqual([
      'hall-2',
      'kitchen',
      'roof',
    ])
    expect(await ids({ field: 'id', comparison: '~=', value: 'a.l' })).toEqual(['hall', 'hall-2'])
    expect(await ids({ field: 'id', comparison: '~=', value: '^h.*[^0-9]$' })).toEqual(['hall'])
    expect(await ids({ field: 'floor', comparison: '<=', value: 3 })).toHaveLength(3)
    expect(await ids({ field: 'floor', comparison: '>', value: 3 })).toEqual([])
    expect(await ids({ field: 'floor', comparison: '==', value: '3' })).toEqual([])
    expect(await ids({ field: 'wind', comparison: '==', value: true })).toEqual(['roof'])
    expect(await ids({ field: 'wind', comparison: '!=', value: true })).toEqual([])
    expect(
      await ids(
        { field: 'floor', comparison: '>=', value: 3 },
        { field: 'id', comparison: '>', value: 'hall' },
        { field: 'id', comparison: '<', value: 'k' },
      ),
    ).toEqual(['hall-2'])

    const hall = { field: 'id', comparison: '==', value: 'hall' } as const
    const times = async (from?: number, to?: number) =>
      (await read(used, { where: [hall], from, to })).flatMap(({ timestamps }) =>
        timestamps.map((time) => time - BEGIN),
      )
    expect(await times(BEGIN + 1_000, BEGIN + 3_000)).toEqual([1_000, 2_000])
    expect(await times(undefined, BEGIN + 1_001)).toEqual([0, 1_000])
    expect(await times(BEGIN + 2_001)).toEqual([3_000])
    expect(await times(BEGIN + 3_001)).toEqual([])
    expect(await read(used, { where: [hall], from: BEGIN + 1, to: BEGIN + 1_000 })).toEqual([])
  })

  test('refuses to read more points than allowed, exactly', async () => {
    const used = await use()
    await used.store.append(
      Array.from({ length: 50 }, (_, index) => gauge('hall', index * 1_000, index)),
    )
    await used.store.append(
      Array.from({ length: 50 }, (_, index) => gauge('roof', index * 1_000, index)),
    )
    expect(await read(used, {}, 100)).toHaveLength(2)
    await expect(read(used, {}, 99)).rejects.toThrow(TooManyPoints)
    const part = { from: BEGIN + 10_000, to: BEGIN + 20_000 }
    expect(await read(used, part, 20)).toHaveLength(2)
    await expect(read(used, part, 19)).rejects.toThrow(TooManyPoints)
    expect(await read(used, { where: [{ field: 'id', comparison: '==', value: 'x' }] }, 0)).toEqual(
      [],
    )
  })

  test('drops and counts samples that are not later than the last one of their series', async () => {
    const used = await use()
    await used.store.append([gauge('hall', 5_000, 1), gauge('hall', 5_000, 2), gauge('roof', 0, 1)])
    await used.store.append([
      gauge('hall', 4_000, 3),
      gauge('hall', 6_000, 4),
      gauge('hall', 5_500, 5),
    ])
    expect(await used.store.status()).toMatchObject({ series: 2, appended: 6, dropped: 3 })
    const check = async (store: StoreUnderTest['store']) =>
      expect((await read({ store })).map(({ values }) => values)).toEqual([[1, 4], [1]])
    await check(used.store)
    if (!used.restart) return
    const store = await used.restart()
    await store.append([gauge('hall', 6_000, 7), gauge('hall', 1_000, 8), gauge('roof', 1, 9)])
    expect(await store.status()).toMatchObject({ appended: 3, dropped: 2 })
    expect((await read({ store })).map(({ values }) => values)).toEqual([
      [1, 4],
      [1, 9],
    ])
  })

  test('points of a fast clock neither block later ones nor are returned', async () => {
    const used = await use()
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const DAY = 24 * 3_600_000
    const measure = async (store: StoreUnderTest['store'], at: number) => {
      vi.setSystemTime(BEGIN + at)
      await store.append([gauge('hall', at, at), gauge('roof', at, at)])
    }
    const check = async (store: StoreUnderTest['store'], expected: number[]) =>
      expect((await read({ store })).map(({ values }) => values)).toEqual([expected, expected])
    await measure(used.store, 0)
    await measure(used.store, 5_000)
    expect((await used.store.status()).ahead).toBe(undefined)
    await measure(used.store, DAY)
    await check(used.store, [0, 5_000, DAY])
    vi.setSystemTime(BEGIN + 9_000)
    await check(used.store, [0, 5_000])
    await measure(used.store, 10_000)
    await check(used.store, [0, 5_000, 10_000])
    const ahead = { count: expect.any(Number), since: expect.any(Number) }
    expect(await used.store.status()).toMatchObject({ dropped: 0, ahead })
    if (!used.restart) return
    const again = await used.restart()
    await measure(again, 15_000)
    await check(again, [0, 5_000, 10_000, 15_000])
    expect(await again.status()).toMatchObject({ dropped: 0 })
  })

  test('keeps the points of many series in order, whatever is appended when', async () => {
    const step = fc.record({
      series: fc.nat(5),
      forward: fc.constantFrom(0, 1, 1_000, 5_000),
      datum: fc.option(fc.oneof(fc.integer(), fc.double({ noNaN: true })), { freq: 10 }),
      restart: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step), { maxLength: 20 }), async (batches) => {
        const used = await make()
        try {
          let { store } = used
          const expected = new Map<number, { timestamps: number[]; values: unknown[] }>()
          let now = BEGIN
          for (const batch of batches) {
            const samples = batch.map(({ series, forward, datum }): Sample => {
              now += forward
              const known = expected.get(series) ?? { timestamps: [], values: [] }
              expected.set(series, known)
              if (now > (known.timestamps.at(-1) ?? -1)) {
                known.timestamps.push(now)
                known.values.push(datum)
              }
              return { name: 'a:b', fields: { series }, timestamp: now, datum }
            })
            await store.append(samples)
            if (batch[0]?.restart && used.restart) store = await used.restart()
          }
          const found = await store.read({ name: 'a:b', where: [] }, ALL)
          expect(
            Object.fromEntries(found.map(({ fields, ...rest }) => [fields.series, rest])),
          ).toEqual(Object.fromEntries(expected))
        } finally {
          await used.close()
        }
      }),
      { numRuns: long ? 15 : 5 },
    )
  })
})
