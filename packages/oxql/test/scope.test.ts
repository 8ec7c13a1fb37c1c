/** A scope applies whatever the query. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  evaluate,
  type FieldCondition,
  parse,
  print,
  QueryError,
  type Table,
} from '../src/index.ts'
import { memorySource, schemaOf, seriesOf } from './support/memory-source.ts'
import { NOW, queries, worlds } from './support/random-queries.ts'

const mine = 'aaaaaaaa-1111-4111-8111-111111111111'
const other = 'bbbbbbbb-1111-4111-8111-111111111111'
const project = { project_id: 'uuid', silo_id: 'uuid', name: 'string' } as const
const own = { project_id: mine, silo_id: mine, name: 'x' }
const scope: FieldCondition[] = [
  { field: 'silo_id', comparison: '==', value: mine },
  { field: 'project_id', comparison: '==', value: mine },
]
const seriesIn = (fields: Record<string, string>) =>
  seriesOf(fields, [
    [NOW - 5000, 1],
    [NOW - 1000, 2],
  ])
const source = memorySource(
  ...['a:b', 'c:d'].map((name) => ({
    schema: schemaOf(name, { datumType: 'i64' as const, fields: project }),
    series: [
      seriesIn(own),
      seriesIn({ ...own, project_id: other }),
      seriesIn({ ...own, silo_id: other }),
      seriesIn({ project_id: other, silo_id: other, name: 'y' }),
    ],
  })),
  {
    schema: schemaOf('sled:power', { datumType: 'i64', fields: { sled_id: 'uuid' } }),
    series: [seriesIn({ sled_id: other })],
  },
)
const ask = (text: string) => evaluate(parse(text), { source, now: NOW, scope })

test('no filter, group or join widens the scope', async () => {
  const tricks = [
    'get a:b',
    `get a:b | filter project_id == "${other}"`,
    `get a:b | filter project_id == "${other}" || silo_id == "${other}"`,
    `get a:b | filter project_id != "${mine}" || project_id == "${mine}"`,
    `get a:b | filter !(project_id == "${mine}" && silo_id == "${mine}")`,
    `get a:b | filter project_id == "${mine}" ^ project_id == "${other}"`,
    `get a:b | filter name == "y" || name == "x" || timestamp > @2000-01-01`,
    `get a:b | filter name ~= ".*" || !(name ~= ".*")`,
    `get a:b | filter (name == "x") || (name == "y") | filter project_id != "${mine}" || datum > 0`,
    `{ get a:b | filter project_id == "${other}"; get c:d } | filter silo_id == "${other}" || datum > 0`,
    '{ { get a:b; get c:d }; get a:b }',
    'get a:b | align mean_within(1s) | group_by []',
    '{ get a:b; get c:d } | align mean_within(1s) | join',
    `get a:b | last 1 | filter project_id != "${mine}" || datum == 2`,
  ]
  for (const text of tricks) {
    source.asked.length = 0
    const tables = await ask(text)
    for (const { timeseries } of tables) {
      for (const { fields } of timeseries) {
        expect([text, { ...own, ...fields }]).toEqual([text, own])
      }
    }
    for (const { selection } of source.asked) {
      expect(selection.where).toEqual(expect.arrayContaining(scope))
    }
  }
  // Sums only include visible timeseries.
  const [sum] = await ask('get a:b | align mean_within(10s) | group_by [], sum')
  expect([...(sum!.timeseries[0]!.points.values[0] as Float64Array)]).toEqual([1.5])
})

test('timeseries outside of all projects are refused, and nothing is read', async () => {
  for (const text of [
    'get sled:power',
    'get sled:power | filter timestamp > @2020-01-01',
    '{ get a:b; get sled:power }',
    '{ get a:b; { get sled:power | last 1 } } | filter datum > 0',
  ]) {
    source.asked.length = 0
    await expect(ask(text)).rejects.toThrow(
      'The filter expression contains identifiers that are not valid for its input timeseries. Invalid identifiers: ["silo_id", "project_id"], timeseries fields: {"sled_id"}',
    )
    expect(source.asked).toEqual([])
  }
})

test('a source that returns too much does not widen the scope', async () => {
  const careless = {
    ...source,
    read: (selection: Parameters<typeof source.read>[0], max: number) =>
      source.read({ ...selection, where: [] }, max),
  }
  const tables = await evaluate(parse('get a:b'), { source: careless, now: NOW, scope })
  expect(tables[0]!.timeseries.map(({ fields }) => fields)).toEqual([own])
})

test('a scoped query answers as if nothing existed outside of the scope', async () => {
  const answer = async (run: Promise<Table[]>) => {
    try {
      return await run
    } catch (error) {
      if (error instanceof QueryError) return error.message
      throw error
    }
  }
  await fc.assert(
    fc.asyncProperty(worlds, queries, async (world, query) => {
      const inside = world.map(({ schema, series }) => ({
        schema,
        series: series.filter(({ fields }) => fields.id === mine),
      }))
      const parsed = parse(print(query))
      const options = { now: NOW, scope: [{ field: 'id', comparison: '==' as const, value: mine }] }
      const [scoped, alone] = await Promise.all([
        answer(evaluate(parsed, { source: memorySource(...world), ...options })),
        answer(evaluate(parsed, { source: memorySource(...inside), now: NOW })),
      ])
      expect(scoped).toEqual(alone)
    }),
    { numRuns: 300 },
  )
})
