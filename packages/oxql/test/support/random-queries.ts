/** Random worlds of series and random queries about them. */
import fc from 'fast-check'
import type { Comparison, FieldValue, Series } from '../../src/model.ts'
import type { Expression, Literal, Operation, Query } from '../../src/syntax.ts'
import { schemaOf, seriesOf, type World } from './memory-source.ts'

export const NOW = Date.parse('2026-03-04T05:06:07Z')
const place = { start: 0, end: 0 }

const ids = ['a', 'b', 'c'].map((letter) => `${letter.repeat(8)}-1111-4111-8111-111111111111`)
const states = ['run', 'idle', 'waiting']
const types = { id: 'uuid', n: 'u32', state: 'string' } as const

const fieldsOf = fc.record<Record<string, FieldValue>>({
  id: fc.constantFrom(...ids),
  n: fc.integer({ min: 0, max: 2 }),
  state: fc.constantFrom(...states),
})

/** Seconds before now of the measurements, ascending in time. */
const times = fc
  .uniqueArray(fc.integer({ min: -10, max: 120 }), { minLength: 1, maxLength: 12 })
  .map((ages) => ages.toSorted((a, b) => b - a).map((age) => NOW - age * 1000))

const seriesWith = (value: fc.Arbitrary<number>): fc.Arbitrary<Series> =>
  fc.tuple(fieldsOf, times).chain(([fields, timestamps]) =>
    fc
      .array(fc.option(value, { freq: 6 }), {
        minLength: timestamps.length,
        maxLength: timestamps.length,
      })
      .map((values) =>
        seriesOf(
          fields,
          timestamps.map((at, index) => [at, values[index]!]),
        ),
      ),
  )

/** Counters that grow, and restart occasionally. */
const counter: fc.Arbitrary<Series> = fc.tuple(fieldsOf, times).chain(([fields, timestamps]) =>
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.nat(9)), {
      minLength: timestamps.length,
      maxLength: timestamps.length,
    })
    .map((steps) => {
      let start = timestamps[0]! - 7000
      let total = 0
      return seriesOf(
        fields,
        timestamps.map((at, index) => {
          const [grown, what] = steps[index]!
          if (what === 0) {
            // Restarts: a moment ago, or before the last measurement if clocks disagree.
            start = at - (grown % 3) * 700
            total = 0
          }
          total += grown
          return [at, what === 1 ? null : total, start]
        }),
      )
    }),
)

const distinct = (series: fc.Arbitrary<Series>) =>
  fc.uniqueArray(series, { maxLength: 5, selector: ({ fields }) => JSON.stringify(fields) })

const worldOf = (
  name: string,
  datumType: 'i64' | 'f64' | 'bool' | 'cumulative_u64',
  series: fc.Arbitrary<Series>,
): fc.Arbitrary<World> =>
  distinct(series).map((list) => ({
    schema: schemaOf(name, { datumType, fields: types }),
    series: list,
  }))

export const worlds = fc.tuple(
  worldOf('a:counter', 'cumulative_u64', counter),
  worldOf('a:gauge', 'i64', seriesWith(fc.integer({ min: -20, max: 20 }))),
  worldOf('b:gauge', 'f64', seriesWith(fc.constantFrom(0, 0.5, -1.25, 3, 7))),
  worldOf('b:flag', 'bool', seriesWith(fc.constantFrom(0, 1))),
)

const ordering = fc.constantFrom<Comparison>('==', '!=', '<', '<=', '>', '>=')

const moment = fc.integer({ min: -5000, max: 125_000 }).chain((age) =>
  fc.constantFrom<Literal>(
    { kind: 'timestamp', value: { kind: 'absolute', milliseconds: NOW - age } },
    {
      kind: 'timestamp',
      value: {
        kind: 'now',
        sign: age < 0 ? '+' : '-',
        offset: { amount: Math.abs(Math.round(age / 1000)), unit: 's' },
      },
    },
  ),
)

const condition = (identifier: string, comparison: Comparison, literal: Literal): Expression => ({
  kind: 'comparison',
  ...place,
  identifier,
  comparison,
  literal,
})

const number: fc.Arbitrary<Literal> = fc.oneof(
  fc
    .integer({ min: -5, max: 30 })
    .map((value): Literal => ({ kind: 'integer', value: BigInt(value) })),
  fc.constantFrom(0.5, 2.5, -1.25).map((value): Literal => ({ kind: 'double', value })),
)

/** Most match the fields and points of the worlds; some do not. */
const leaf: fc.Arbitrary<Expression> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(ordering, fc.constantFrom(...ids))
      .map(([comparison, value]) => condition('id', comparison, { kind: 'uuid', value })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(ordering, fc.constantFrom(...states))
      .map(([comparison, value]) => condition('state', comparison, { kind: 'string', value })),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('^r', 'n$', 'i', 'x|w')
      .map((value) => condition('state', '~=', { kind: 'string', value })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(ordering, fc.bigInt(-1n, 3n))
      .map(([comparison, value]) => condition('n', comparison, { kind: 'integer', value })),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(ordering, moment)
      .map(([comparison, literal]) => condition('timestamp', comparison, literal)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(ordering, moment)
      .map(([comparison, literal]) => condition('start_time', comparison, literal)),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(ordering, number)
      .map(([comparison, literal]) => condition('datum', comparison, literal)),
  },
  { weight: 1, arbitrary: number.map((literal) => condition('other', '==', literal)) },
)

const logicOf = (leaves: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> =>
  fc.letrec<{ any: Expression; deep: Expression }>((tie) => ({
    any: fc.oneof({ maxDepth: 3 }, leaves, tie('deep')),
    deep: fc.oneof(
      tie('any').map((operand): Expression => ({ kind: 'not', ...place, operand })),
      fc
        .tuple(
          fc.constantFrom('and', 'or', 'xor'),
          fc.array(tie('any'), { minLength: 2, maxLength: 3 }),
        )
        .map(([kind, operands]): Expression => ({ kind, ...place, operands })),
    ),
  })).any

const filter = logicOf(leaf).map((expression): Operation => ({
  kind: 'filter',
  ...place,
  expression,
}))

const align = fc.constantFrom(3, 5, 10, 30).map((amount): Operation => ({
  kind: 'align',
  ...place,
  method: 'mean_within',
  period: { amount, unit: 's' },
}))
const groupBy = fc
  .tuple(fc.subarray(['id', 'n', 'state']), fc.constantFrom('mean', 'sum'))
  .map(([fields, reducer]): Operation => ({ kind: 'group_by', ...place, fields, reducer }))
const limit = fc
  .tuple(fc.constantFrom('first', 'last'), fc.integer({ min: 1, max: 8 }))
  .map(([kind, count]): Operation => ({ kind, ...place, count }))
const joining: Operation = { kind: 'join', ...place }
const join = fc.constant(joining)

const gauges = ['a:gauge', 'b:gauge']
const get = fc
  .constantFrom(...gauges, ...gauges, 'a:counter', 'a:counter', 'b:flag')
  .map((name): Operation => ({ kind: 'get', ...place, name }))

const queryOf = (...operations: Operation[]): Query => ({ ...place, operations })

const simple = fc
  .tuple(get, fc.array(fc.oneof(filter, filter, align, limit, groupBy), { maxLength: 4 }))
  .map(([first, rest]) => queryOf(first, ...rest))

/** Typical queries of a console. */
const usual = fc
  .tuple(get, fc.option(filter), align, fc.option(filter), fc.option(groupBy), fc.option(limit))
  .map((operations) => queryOf(...operations.filter((one) => one !== null)))

const reading = fc
  .constantFrom('a:counter', 'a:gauge', 'b:gauge')
  .map((name): Operation => ({ kind: 'get', ...place, name }))
/** Few fields, in which timeseries of different tables are often equal. */
const groupByFew = fc
  .constantFrom<string[]>([], [], ['n'])
  .map((fields): Operation => ({ kind: 'group_by', ...place, fields, reducer: 'sum' }))

/** Joins equal alignments and groupings, so that many joins succeed. */
const joined = fc
  .tuple(fc.array(reading, { minLength: 2, maxLength: 3 }), align, groupByFew)
  .chain(([gets, aligned, grouped]) =>
    fc
      .tuple(fc.option(filter, { freq: 1 }), fc.option(fc.oneof(limit, filter), { freq: 1 }))
      .map(([common, end]): Query => {
        const queries = gets.map((first) =>
          queryOf(...[first, common, aligned, grouped].filter((one) => one !== null)),
        )
        const group: Operation = { kind: 'group', ...place, queries }
        return queryOf(...[group, joining, end].filter((one) => one !== null))
      }),
  )

const group = fc
  .tuple(
    fc.array(simple, { minLength: 1, maxLength: 3 }),
    fc.array(fc.oneof(filter, align, limit, join)),
  )
  .map(([queries, rest]) => queryOf({ kind: 'group', ...place, queries }, ...rest))

export const queries: fc.Arbitrary<Query> = fc.oneof(
  simple,
  usual,
  usual,
  usual,
  joined,
  joined,
  group,
)

// Any tree of the grammar.

const identifier = fc.stringMatching(/^[a-z]{1,3}[0-9]?(_[a-z0-9]{1,3})?$/)
const anyMoment: fc.Arbitrary<Literal> = fc
  .oneof(
    fc.constant({ kind: 'now' as const }),
    fc.record({
      kind: fc.constant('now' as const),
      sign: fc.constantFrom('+' as const, '-' as const),
      offset: fc.record({ amount: fc.nat(1_000_000), unit: fc.constantFrom('s', 'd', 'ns', 'us') }),
    }),
    fc.nat(86_399_999).map((milliseconds) => ({ kind: 'today' as const, milliseconds })),
    fc
      .tuple(fc.integer({ min: -719_528, max: 2_932_896 }), fc.nat(86_399), fc.nat(999_999_999))
      .map(([days, seconds, nanoseconds]) => ({
        kind: 'absolute' as const,
        milliseconds: days * 86_400_000 + (seconds * 1000 + nanoseconds / 1e6),
      })),
  )
  .map((value) => ({ kind: 'timestamp', value }) as Literal)
const anyLiteral: fc.Arbitrary<Literal> = fc.oneof(
  fc.boolean().map((value): Literal => ({ kind: 'boolean', value })),
  fc
    .record({
      amount: fc.nat(1_000_000),
      unit: fc.constantFrom('M', 'w', 'd', 'h', 'm', 's', 'ms', 'us', 'ns'),
    })
    .map((value) => ({ kind: 'duration', value }) as Literal),
  fc.bigInt(-(2n ** 63n), 2n ** 64n - 1n).map((value): Literal => ({ kind: 'integer', value })),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value): Literal => ({ kind: 'double', value })),
  fc.uuid().map((value): Literal => ({ kind: 'uuid', value })),
  fc.ipV4().map((value): Literal => ({ kind: 'ip', value })),
  fc
    .oneof(fc.string(), fc.string({ unit: 'binary' }), fc.uuid(), fc.ipV4())
    .map((value): Literal => ({ kind: 'string', value })),
  anyMoment,
)
const anyCondition = fc.oneof(
  fc
    .tuple(identifier, ordering, anyLiteral)
    .map(([name, comparison, literal]) => condition(name, comparison, literal)),
  fc
    .tuple(identifier, fc.string())
    .map(([name, value]) => condition(name, '~=', { kind: 'string', value })),
)
const anyGet = fc
  .tuple(identifier, identifier)
  .map(([target, metric]): Operation => ({ kind: 'get', ...place, name: `${target}:${metric}` }))
const anyOperation = fc.oneof(
  logicOf(anyCondition).map((expression): Operation => ({ kind: 'filter', ...place, expression })),
  align,
  limit,
  join,
  fc
    .tuple(fc.uniqueArray(identifier), fc.constantFrom('mean', 'sum'))
    .map(([fields, reducer]): Operation => ({ kind: 'group_by', ...place, fields, reducer })),
)

export const anyQueries: fc.Arbitrary<Query> = fc.letrec<{ query: Query; first: Operation }>(
  (tie) => ({
    query: fc
      .tuple(tie('first'), fc.array(anyOperation, { maxLength: 3 }))
      .map(([first, rest]) => queryOf(first, ...rest)),
    first: fc.oneof(
      { maxDepth: 2 },
      anyGet,
      fc
        .array(tie('query'), { minLength: 1, maxLength: 3 })
        .map((list): Operation => ({ kind: 'group', ...place, queries: list })),
    ),
  }),
).query
