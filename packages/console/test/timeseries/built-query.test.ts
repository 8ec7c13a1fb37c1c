/** The query builder reads back the text it prints. */
import { parse } from '@steading/oxql/syntax'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BuiltCondition,
  type BuiltQuery,
  type Comparison,
  enteredOf,
  literalOf,
  printBuilt,
  readBuilt,
} from '../../src/observability/timeseries/built-query.ts'
import { examplesOf } from '../../src/observability/metrics-explorer/examples.ts'

const word = fc.stringMatching(/^[a-z]{1,6}(_[a-z0-9]{1,4})?$/)
const field = word.filter((one) => one !== 'true' && one !== 'false')
const uuid = fc.uuid()
const comparison = fc.constantFrom<Comparison>('==', '!=', '<', '<=', '>', '>=')

/** Sample input for a field of the type. */
const entered = {
  string: fc.string({ minLength: 1, maxLength: 12, unit: 'binary' }),
  uuid,
  ip_addr: fc.ipV4(),
  u32: fc.nat().map(String),
  bool: fc.constantFrom('true', 'false'),
} as const

const condition: fc.Arbitrary<BuiltCondition> = fc
  .constantFrom(...(Object.keys(entered) as (keyof typeof entered)[]))
  .chain((type) => fc.tuple(fc.constant(type), entered[type], field, comparison))
  .map(([type, text, identifier, compared]) => ({
    identifier,
    comparison: compared,
    literal: literalOf(text, compared, type),
    entered: text,
  }))

const built: fc.Arbitrary<BuiltQuery> = fc
  .record({
    metric: fc.tuple(word, word).map((names) => names.join(':')),
    conditions: fc.array(condition, { maxLength: 4 }),
    period: fc.option(
      fc.record({
        amount: fc.integer({ min: 1, max: 90 }),
        unit: fc.constantFrom('s' as const, 'm' as const, 'h' as const, 'd' as const),
      }),
      { nil: undefined },
    ),
    groupBy: fc.option(
      fc.record({
        fields: fc.uniqueArray(field, { maxLength: 3 }),
        reducer: fc.constantFrom('mean' as const, 'sum' as const),
      }),
      { nil: undefined },
    ),
    limit: fc.option(
      fc.record({
        kind: fc.constantFrom('first' as const, 'last' as const),
        count: fc.integer({ min: 1, max: 1000 }),
      }),
      { nil: undefined },
    ),
  })
  .map(({ period, groupBy, limit, ...query }) => ({
    ...query,
    ...(period && { period }),
    ...(groupBy && { groupBy }),
    ...(limit && { limit }),
  }))

test('the builder reads its own text', () => {
  fc.assert(
    fc.property(built, (query) => {
      const text = printBuilt(query)
      expect(() => parse(text)).not.toThrow()
      const again = readBuilt(text) as BuiltQuery
      expect(again).toEqual({
        ...query,
        // Addresses and IDs have only one spelling.
        conditions: query.conditions.map((one) => ({ ...one, entered: enteredOf(one.literal!) })),
      })
      expect(printBuilt(again)).toBe(text)
    }),
    { numRuns: 300 },
  )
})

test('a condition without a value is left out, and a query without a metric is empty', () => {
  const open = { identifier: 'state', comparison: '==', literal: undefined, entered: '' } as const
  expect(printBuilt({ metric: 'a:b', conditions: [open] })).toBe('get a:b')
  expect(printBuilt({ metric: '', conditions: [] })).toBe('')
  expect(readBuilt('')).toEqual({ metric: '', conditions: [] })
})

test('consecutive filters are merged', () => {
  const text = 'get a:b | filter c == 1 | filter d == "e" && f != true'
  expect(printBuilt(readBuilt(text) as BuiltQuery)).toBe(
    'get a:b\n| filter c == 1 && d == "e" && f != true',
  )
})

describe('reasons for queries that the builder cannot show', () => {
  test.each([
    ['get a:b | filter c == 1 || d == 2', 'conditions with ||'],
    ['get a:b | filter !(c == 1)', 'conditions with !'],
    ['{ get a:b; get c:d } | align mean_within(1m)', 'groups of queries'],
    ['get a:b | align mean_within(1m) | filter datum > 1', 'filter at this place'],
    ['get a:b | last 3 | last 1', 'last at this place'],
    ['get a:b | align interpolate(1m)', 'interpolate'],
    ['get a:b | join', 'join'],
    ['get a:b | fil', 'not a query yet'],
  ])('%s', (text, reason) => {
    expect(readBuilt(text)).toMatchObject({ reason: expect.stringContaining(reason) as string })
  })
})

test('a value that does not fit the type of its field is rejected', () => {
  expect(literalOf('wheel', '==', 'uuid')).toBeUndefined()
  expect(literalOf('1.5', '==', 'u32')).toBeUndefined()
  expect(literalOf('yes', '==', 'bool')).toBeUndefined()
  expect(literalOf('1 | last 1', '==', 'u32')).toBeUndefined()
  expect(literalOf('1.5', '>', undefined)).toEqual({ kind: 'double', value: 1.5 })
  expect(literalOf('^run', '~=', 'string')).toEqual({ kind: 'string', value: '^run' })
})

test('the examples are queries', () => {
  for (const { query } of [...examplesOf('system'), ...examplesOf({ project: 'mill' })]) {
    expect(() => parse(query)).not.toThrow()
  }
})
