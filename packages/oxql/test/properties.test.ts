/** Compares the evaluation of random queries over random series with the definitions. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evaluate, parse, print, type Query, QueryError, type Table } from '../src/index.ts'
import { memorySource, type World } from './support/memory-source.ts'
import { Broken, naive, type NaiveTable } from './support/naive.ts'
import { anyQueries, NOW, queries, worlds } from './support/random-queries.ts'

/** Runs per property; `STEADING_RUNS` changes it. */
const numRuns = Number(process.env.STEADING_RUNS ?? 250)

const withoutPlaces = (query: Query): unknown =>
  JSON.parse(
    JSON.stringify(query, (key, value: unknown) => {
      if (key === 'start' || key === 'end') return undefined
      return typeof value === 'bigint' ? `${value}n` : Object.is(value, -0) ? '-0' : value
    }),
  )

test('a printed query parses to the original', () => {
  fc.assert(
    fc.property(anyQueries, (query) => {
      const text = print(query)
      fc.pre(text.length <= 4096)
      expect(withoutPlaces(parse(text))).toEqual(withoutPlaces(query))
      expect(print(parse(text))).toBe(text)
    }),
    { numRuns },
  )
})

/** Rules whose violation is detected or not depending on the series that were read. */
const lenient = new Set(['upsampling'])

const plainFields = (fields: object): string =>
  JSON.stringify(Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1)))

function expectSame(tables: Table[], wanted: NaiveTable[]): void {
  expect(tables.map(({ name }) => name)).toEqual(wanted.map(({ names }) => names.join(',')))
  for (const [index, table] of tables.entries()) {
    const { series, delta } = wanted[index]!
    const found = new Map(table.timeseries.map((one) => [plainFields(one.fields), one.points]))
    expect([...found.keys()].sort()).toEqual(series.map((one) => plainFields(one.fields)).sort())
    for (const { fields, points } of series) {
      const { timestamps, startTimes, values } = found.get(plainFields(fields))!
      expect([...timestamps]).toEqual(points.map(({ at }) => at))
      if (delta) expect([...startTimes!]).toEqual(points.map(({ since }) => since))
      else expect(startTimes).toBeUndefined()
      for (const [column, numbers] of values.entries()) {
        for (const [at, point] of points.entries()) {
          const value = point.values[column]
          if (value === null) expect(numbers[at]).toBeNaN()
          else expect(numbers[at]).toBeCloseTo(value!, 8)
        }
      }
    }
  }
}

async function outcome(query: Query, world: World[]): Promise<Table[] | QueryError> {
  try {
    return await evaluate(parse(print(query)), { source: memorySource(...world), now: NOW })
  } catch (error) {
    if (error instanceof QueryError) return error
    throw error
  }
}

function desiredOutcome(query: Query, world: World[]): NaiveTable[] | Broken {
  try {
    return naive(query, world, NOW)
  } catch (error) {
    if (error instanceof Broken) return error
    throw error
  }
}

test('results equal the definitions, point by point', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, queries, async (world, query) => {
      const wanted = desiredOutcome(query, world)
      const tables = await outcome(query, world)
      if (wanted instanceof Broken && lenient.has(wanted.message)) return
      expect(tables instanceof QueryError).toBe(wanted instanceof Broken)
      if (tables instanceof QueryError || wanted instanceof Broken) return
      expectSame(tables, wanted)
    }),
    { numRuns: 2 * numRuns },
  )
})

test('random queries have good coverage: they succeed with and without points, join, and fail', () => {
  const counts = { points: 0, nothing: 0, joins: 0, broken: 0 }
  for (const [world, query] of fc.sample(fc.tuple(worlds, queries), { seed: 1, numRuns: 400 })) {
    const tables = desiredOutcome(query, world)
    if (tables instanceof Broken) counts.broken++
    else if (tables.every(({ series }) => series.length === 0)) counts.nothing++
    else if (tables.some(({ names }) => names.length > 1)) counts.joins++
    else counts.points++
  }
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(15)
})
