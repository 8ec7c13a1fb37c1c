/** Results of queries: each rule with an example small enough to verify by hand. */
import { expect, test } from 'vitest'
import {
  evaluate,
  type EvaluationOptions,
  type Histogram,
  parse,
  QueryError,
  toWire,
} from '../src/index.ts'
import { memorySource, schemaOf, seriesOf, type World } from './support/memory-source.ts'

const A = 'aaaaaaaa-1111-4111-8111-111111111111'
const B = 'bbbbbbbb-1111-4111-8111-111111111111'
const fields = { instance_id: 'uuid', state: 'string', vcpu_id: 'u32' } as const
/** Day of the tests in milliseconds. */
const DAY = Date.parse('2026-01-01')
const at = (seconds: number): number => DAY + seconds * 1000
const run = (instance_id: string, state = 'run', vcpu_id = 0) => ({ instance_id, state, vcpu_id })

const usage: World = {
  schema: schemaOf('virtual_machine:vcpu_usage', { datumType: 'cumulative_u64', fields }),
  series: [
    seriesOf(run(A), [
      [at(10), 100, at(0)],
      [at(20), 130, at(0)],
      // Restarted at 25 s.
      [at(30), 20, at(25)],
      [at(40), null, at(25)],
      [at(50), 80, at(25)],
    ]),
    seriesOf(run(A, 'idle'), [[at(10), 900, at(0)]]),
    seriesOf(run(B), [
      [at(10), 7, at(0)],
      [at(20), 9, at(0)],
    ]),
  ],
}
const temperature: World = {
  schema: schemaOf('hardware:temperature', { datumType: 'f32', fields: { sensor: 'string' } }),
  series: [
    seriesOf({ sensor: 'cpu' }, [
      [at(10), 40],
      [at(20), null],
      [at(30), 50],
      [at(40), null],
    ]),
  ],
}
const reads: World = {
  schema: schemaOf('disk:reads', { datumType: 'u64', fields: { instance_id: 'uuid' } }),
  series: [
    seriesOf({ instance_id: A }, [
      [at(10), 1],
      [at(20), 2],
      [at(30), 3],
    ]),
    seriesOf({ instance_id: B }, [
      [at(10), 10],
      [at(20), 20],
    ]),
  ],
}
const writes: World = {
  schema: schemaOf('disk:writes', { datumType: 'u64', fields: { instance_id: 'uuid' } }),
  series: [
    seriesOf({ instance_id: A }, [
      [at(20), 5],
      [at(30), 6],
    ]),
    seriesOf({ instance_id: B }, [[at(10), 50]]),
  ],
}
const link: World = {
  schema: schemaOf('link:up', { datumType: 'bool', fields: { address: 'ip_addr' } }),
  series: [
    seriesOf({ address: '10.0.0.9' }, [
      [at(10), 1],
      [at(20), 0],
      [at(30), null],
    ]),
    seriesOf({ address: '10.0.0.10' }, [[at(10), 1]]),
    seriesOf({ address: 'fe80::1' }, [[at(10), 1]]),
  ],
}
const silent: World = {
  schema: schemaOf('silent:thing', { datumType: 'i64', fields: {} }),
  series: [],
}
const histogram = (counts: number[], rest: Omit<Histogram, 'bins' | 'counts'>): Histogram => ({
  bins: [0, 10, 20],
  counts,
  ...rest,
})
const latency: World = {
  schema: schemaOf('disk:io_latency', { datumType: 'histogram_u64', fields: {} }),
  series: [
    seriesOf({}, [
      // 4 and 8; then 16 and 30 as well; then a restart with 12.
      [at(10), histogram([2, 0, 0], { min: 4, max: 8, sumOfSamples: 12, squaredMean: 8 }), at(0)],
      [
        at(20),
        histogram([2, 1, 1], { min: 4, max: 30, sumOfSamples: 58, squaredMean: 395 }),
        at(0),
      ],
      [at(30), null, at(0)],
      [
        at(40),
        histogram([0, 1, 0], { min: 12, max: 12, sumOfSamples: 12, squaredMean: 0 }),
        at(35),
      ],
    ]),
  ],
}
const worlds = [usage, temperature, reads, writes, link, silent, latency]

async function ask(text: string, options: Partial<EvaluationOptions> = {}) {
  const source = memorySource(...worlds)
  return toWire(await evaluate(parse(text), { source, now: at(50), ...options })).tables
}

const seconds = (times: string[]): number[] => times.map((time) => (Date.parse(time) - DAY) / 1000)

/** Points of the only timeseries: seconds, and values of its only column. */
async function points(text: string) {
  const [table, ...others] = await ask(text)
  const [timeseries, ...more] = table!.timeseries
  expect([...others, ...more]).toEqual([])
  const { start_times, timestamps, values } = timeseries!.points
  return {
    from: start_times && seconds(start_times),
    at: seconds(timestamps),
    values: values.map((one) => one.values.values).flat(),
    types: values.map((one) => `${one.metric_type} ${one.values.type}`).join(),
  }
}

const errorOf = async (text: string, options: Partial<EvaluationOptions> = {}): Promise<string> => {
  try {
    await ask(text, options)
  } catch (error) {
    if (error instanceof QueryError) return error.message
    throw error
  }
  throw new Error(`"${text}" has an answer`)
}

const ofA = `get virtual_machine:vcpu_usage | filter instance_id == "${A}" && state == "run"`

test('an answer has wire format', async () => {
  expect(await ask(`get disk:reads | filter instance_id == "${A}" | first 1`)).toEqual([
    {
      name: 'disk:reads',
      timeseries: [
        {
          fields: { instance_id: { type: 'uuid', value: A } },
          points: {
            start_times: null,
            timestamps: ['2026-01-01T00:00:10.000Z'],
            values: [{ metric_type: 'gauge', values: { type: 'integer', values: [1] } }],
          },
        },
      ],
    },
  ])
  const [flags] = await ask('get link:up')
  expect(flags!.timeseries.map((one) => one.points.values[0]!.values)).toContainEqual({
    type: 'boolean',
    values: [true, false, null],
  })
})

test('counters become differences, which restart with the counter', async () => {
  expect(await points(ofA)).toEqual({
    from: [0, 10, 25, 30, 30],
    at: [10, 20, 30, 40, 50],
    values: [100, 30, 20, null, 60],
    types: 'delta integer',
  })
})

test("the first point in the query's time range is the total since the start", async () => {
  const wanted = { from: [0, 25], at: [20, 30], values: [130, 20], types: 'delta integer' }
  expect(
    await points(`${ofA} && timestamp > @2026-01-01T00:00:10 && timestamp < @00:00:40`),
  ).toEqual(wanted)
  expect(
    await points(`${ofA} | filter timestamp >= @00:00:10.5 | filter timestamp <= @00:00:30`),
  ).toEqual(wanted)
  // After another operation, a filter only drops points.
  expect(await points(`${ofA} | last 9 | filter timestamp > @00:00:10 | first 1`)).toMatchObject({
    values: [30],
  })
})

test('differences of histograms are distributions, as far as known', async () => {
  const { values, types } = await points('get disk:io_latency')
  expect(types).toBe('delta integer_distribution')
  expect(values).toEqual([
    {
      bins: [0, 10, 20],
      counts: [2, 0, 0],
      min: 4,
      max: 8,
      sum_of_samples: 12,
      squared_mean: 8,
      p50: 6,
      p90: 7.6,
      p99: 7.96,
    },
    {
      bins: [0, 10, 20],
      counts: [0, 1, 1],
      min: null,
      max: 30,
      sum_of_samples: 46,
      // 16 and 30 deviate from their mean by 7 each.
      squared_mean: 98,
      p50: 20,
      p90: 28,
      p99: 29.8,
    },
    null,
    expect.objectContaining({ counts: [0, 1, 0], min: 12, max: 12, p50: 12, p99: 12 }),
  ])
})

test('filters on fields drop timeseries, all others drop points', async () => {
  const names = async (text: string) =>
    (await ask(text)).flatMap(({ timeseries }) =>
      timeseries.map((one) =>
        Object.values(one.fields)
          .map(({ value }) => value)
          .join(' '),
      ),
    )
  const all = 'get virtual_machine:vcpu_usage | filter'
  expect(await names(`${all} state ~= "^i.*e$"`)).toEqual([`${A} idle 0`])
  expect(await names(`${all} !(instance_id == "${A}")`)).toEqual([`${B} run 0`])
  expect(await names(`${all} instance_id == "${A}" ^ state == "idle"`)).toEqual([`${A} run 0`])
  expect(await names(`${all} vcpu_id > 0`)).toEqual([])
  expect(await names(`${all} datum > 899`)).toEqual([`${A} idle 0`])
  expect(await points(`${ofA} | filter start_time >= @00:00:25`)).toMatchObject({
    at: [30, 40, 50],
  })
  expect(await points(`${ofA} | filter datum >= 30 && datum < 99.5`)).toMatchObject({
    at: [20, 50],
  })
  // A missing value meets no condition.
  expect(await points(`${ofA} | filter datum != 30`)).toMatchObject({ at: [10, 30, 50] })
  expect(await points(`${ofA} | filter !(datum != 30)`)).toMatchObject({ at: [20, 40] })
  // Addresses are ordered numerically.
  expect(await names('get link:up | filter address >= "10.0.0.10" && address < "::"')).toEqual([
    '10.0.0.10',
  ])
  expect(await names('get link:up | filter datum == false')).toEqual(['10.0.0.9'])
})

test('invalid filters are reported', async () => {
  const all = 'get virtual_machine:vcpu_usage | filter'
  const wanted: [string, string][] = [
    [
      `${all} foo == 1 && datum > 1 && bar < 2 && foo == 2`,
      'The filter expression contains identifiers that are not valid for its input timeseries. Invalid identifiers: ["foo", "bar"], timeseries fields: {"instance_id", "state", "vcpu_id"}',
    ],
    [
      'get disk:reads | filter start_time > @now()',
      'The filter expression contains identifiers that are not valid for its input timeseries. Invalid identifiers: ["start_time"], timeseries fields: {"instance_id"}',
    ],
    [
      `${all} instance_id == 'x'`,
      'Field value of type uuid is cannot be compared to the value in this filter',
    ],
    [
      `${all} vcpu_id == 1.5`,
      'Field value of type u32 is cannot be compared to the value in this filter',
    ],
    [
      `${all} vcpu_id ~= "1"`,
      'Field value of type u32 is cannot be compared to the value in this filter',
    ],
    [`${all} datum > "x"`, 'Cannot compare string literal against values of type integer'],
    [
      'get link:up | filter datum > 1',
      'Cannot compare integer literal against values of type boolean',
    ],
    [
      'get disk:io_latency | filter datum > 1',
      'Cannot compare integer literal against values of type integer_distribution',
    ],
    [`${all} timestamp > 5`, 'Expression cannot be compared with a timestamp'],
    [`${all} timestamp ~= "2026"`, 'Expression cannot be compared with a timestamp'],
    [`${all} timestamp > @now() + 273972Y`, 'Timestamps must be within 270000 years of 1970'],
    [
      `${all} state ~= "(a"`,
      'Invalid regular expression: error parsing regexp: missing closing ): `(a`',
    ],
    [`${all} state ~= "[a-z]{1000}[0-9]{1000}"`, 'Invalid regular expression: it is too large'],
    [
      `{ get disk:reads; get disk:writes } | align mean_within(10s) | join | filter datum > 1`,
      'The filter expression contains identifiers that are not valid for its input timeseries. Invalid identifiers: ["datum"], timeseries fields: {"instance_id"}',
    ],
    ['get no:such', 'Timeseries not found for: no:such'],
  ]
  for (const [text, message] of wanted) expect([text, await errorOf(text)]).toEqual([text, message])
  // After another operation, nothing is compared without timeseries.
  expect(await ask('get silent:thing | first 1 | filter foo == 1')).toEqual([
    { name: 'silent:thing', timeseries: [] },
  ])
})

test('gauges are averaged over windows that end at the end of the query', async () => {
  expect(await points('get hardware:temperature | align mean_within(20s)')).toEqual({
    from: null,
    // (-10, 10], (10, 30], (30, 50]: a missing value counts as a point.
    at: [10, 30, 50],
    values: [40, 25, null],
    types: 'gauge double',
  })
  expect(
    await points(
      'get hardware:temperature | filter timestamp < @00:00:35 | align mean_within(20s)',
    ),
  ).toMatchObject({ at: [15, 35], values: [40, 25] })
})

test('deltas contribute the part of their interval in the window', async () => {
  expect(await points(`${ofA} | align mean_within(20s)`)).toEqual({
    from: null,
    at: [10, 30, 50],
    // All 100 belong to [0, 10]; then (30 + 20) / 2 points; then 60 of [30, 50], with two points.
    values: [100, 25, 30],
    types: 'gauge double',
  })
  // One interval over four windows of 5 s; its timestamp is in one of them.
  expect(await points(`${ofA} | last 1 | align mean_within(5s)`)).toMatchObject({
    at: [50],
    values: [15],
  })
  expect(await points(`${ofA} | align mean_within(5s) | last 4`)).toMatchObject({
    at: [35, 40, 45, 50],
    values: [15, 15, 15, 15],
  })
})

test('columns that cannot be aligned are reported', async () => {
  const wanted: [string, string][] = [
    [
      'get link:up | align mean_within(10s)',
      'Alignment by mean requires numeric data type, not boolean',
    ],
    [
      'get disk:io_latency | align mean_within(10s)',
      "Tables with 'integer_distribution' data types cannot be aligned",
    ],
    [
      'get disk:reads | align mean_within(99ms)',
      'A table alignment operation may not upsample data by more than a factor of 100',
    ],
    [
      '{ get disk:reads; get disk:writes } | align mean_within(10s) | join | align mean_within(10s)',
      'Aligning multidimensional timeseries is not yet supported',
    ],
    [
      'get disk:reads | align interpolate(10s)',
      'Alignment via interpolation is not yet implemented',
    ],
    [
      'get disk:reads | last 1 | align mean_within(1us)',
      'Query requires making more than the current limit of 1000000 data points by alignment',
    ],
  ]
  for (const [text, message] of wanted) expect([text, await errorOf(text)]).toEqual([text, message])
  expect((await ask('get disk:reads | align mean_within(100ms)'))[0]!.timeseries).toHaveLength(2)
})

test('groups merge timeseries by sum or mean of the present values', async () => {
  const reading = 'get disk:reads | align mean_within(10s)'
  expect(await points(`${reading} | group_by [], sum`)).toEqual({
    from: null,
    at: [10, 20, 30, 40, 50],
    values: [11, 22, 3, null, null],
    types: 'gauge double',
  })
  expect(await points(`${reading} | group_by []`)).toMatchObject({
    values: [5.5, 11, 3, null, null],
  })
  const [table] = await ask(
    'get virtual_machine:vcpu_usage | align mean_within(10s) | group_by [instance_id]',
  )
  expect(table!.timeseries.map((one) => one.fields)).toEqual(
    expect.arrayContaining([
      { instance_id: { type: 'uuid', value: A } },
      { instance_id: { type: 'uuid', value: B } },
    ]),
  )
  const wanted: [string, string][] = [
    [
      '{ get disk:reads; get disk:writes } | group_by []',
      'Group by operations require exactly one table',
    ],
    ['get silent:thing | group_by []', 'Input tables to a `group_by` must not be empty'],
    ['get disk:reads | group_by []', 'Input tables to a `group_by` must be aligned'],
    ['get link:up | group_by []', 'Only numeric data types can be grouped, not boolean'],
    [`${reading} | group_by [sensor]`, "Timeseries does not contain field 'sensor'"],
  ]
  for (const [text, message] of wanted) expect([text, await errorOf(text)]).toEqual([text, message])
})

test('joins pair timeseries by fields, at their common times', async () => {
  const both = '{ get disk:reads; get disk:writes } | align mean_within(10s) | join'
  const [table] = await ask(`${both} | filter instance_id == "${A}"`)
  expect(table).toMatchObject({ name: 'disk:reads,disk:writes' })
  expect(table!.timeseries[0]!.points).toMatchObject({
    timestamps: ['20', '30', '40', '50'].map((second) => `2026-01-01T00:00:${second}.000Z`),
    values: [
      { values: { values: [2, 3, null, null] } },
      { values: { values: [5, 6, null, null] } },
    ],
  })
  const aligned = 'align mean_within(10s)'
  const wanted: [string, string | RegExp][] = [
    ['get disk:reads | join', 'Join operations require more than one table'],
    [
      '{ get disk:reads; get silent:thing } | join',
      'Input tables for a join operation must not be empty',
    ],
    [
      '{ get disk:reads; get disk:writes } | join',
      'Input tables for a join operation must be aligned',
    ],
    [
      `{ get disk:reads | ${aligned}; get disk:writes | align mean_within(5s) } | join`,
      'All tables to a join operator must have the same alignment. Found alignments: 10s, 5s',
    ],
    [
      `{ get disk:reads; get disk:writes | filter instance_id == "${A}" } | ${aligned} | join`,
      /^Join failed, input table 1 does not contain a timeseries with key \d+$/,
    ],
    [
      `{ get disk:reads | filter instance_id == "${A}"; get disk:writes } | ${aligned} | join`,
      /^Join failed, input table 0 does not contain a timeseries with key \d+$/,
    ],
  ]
  for (const [text, message] of wanted) {
    if (typeof message === 'string') expect([text, await errorOf(text)]).toEqual([text, message])
    else expect(await errorOf(text)).toMatch(message)
  }
})

test('first and last select points of each timeseries', async () => {
  expect(await points(`${ofA} | first 2 | last 1`)).toMatchObject({ at: [20], values: [30] })
  const [table] = await ask('get disk:reads | last 1')
  expect(table!.timeseries.map((one) => one.points.timestamps)).toEqual(
    expect.arrayContaining([['2026-01-01T00:00:30.000Z'], ['2026-01-01T00:00:20.000Z']]),
  )
})

test('the end is the last upper bound of any filter, even a negated one', async () => {
  const end = async (condition: string) =>
    (await points(`${ofA} | filter ${condition} | align mean_within(10s) | last 1`)).at[0]
  expect(await end('timestamp >= @00:00:10')).toBe(50)
  expect(await end('timestamp <= @00:00:44')).toBe(44)
  expect(await end('!(timestamp > @00:00:45)')).toBe(45)
  expect(await end('timestamp < @00:00:20 || timestamp < @00:00:41')).toBe(41)
  expect(await end('timestamp < @now() + 3s')).toBe(53)
})

test('only data that the filters can pass is read', async () => {
  const source = memorySource(...worlds)
  const asked = async (text: string) => {
    source.asked.length = 0
    await evaluate(parse(text), { source, now: at(50) })
    return source.asked.map(({ selection: { where, from, to } }) => ({
      where: where
        .map(({ field, comparison, value }) => `${field} ${comparison} ${value}`)
        .join(' & '),
      from: from && (from - DAY) / 1000,
      to: to && (to - DAY) / 1000,
    }))
  }
  const all = 'get virtual_machine:vcpu_usage | filter'
  expect(
    await asked(`${all} state == "run" && timestamp >= @00:00:10 && timestamp < @00:00:40`),
  ).toEqual([{ where: 'state == run', from: 10, to: 40 }])
  // Mutually exclusive alternatives are read separately.
  expect(
    await asked(
      `${all} vcpu_id < 5 && (state == "run" || state == "idle" && timestamp > @00:00:30)`,
    ),
  ).toEqual([
    { where: 'vcpu_id < 5 & state == run', from: undefined, to: undefined },
    { where: 'vcpu_id < 5 & state == idle', from: undefined, to: undefined },
  ])
  // Others are read together, by their common conditions.
  expect(await asked(`${all} vcpu_id == 1 && (state == "run" || instance_id == "${A}")`)).toEqual([
    { where: 'vcpu_id == 1', from: undefined, to: undefined },
  ])
  // After an alignment, field conditions still apply; and filters after a group belong to its
  // queries.
  expect(
    await asked(
      `{ ${all} timestamp > @00:00:05; get disk:reads } | filter timestamp < @00:00:30 | align mean_within(10s) | filter instance_id == "${A}"`,
    ),
  ).toEqual([
    { where: '', from: 5, to: 30 },
    { where: '', from: undefined, to: 30 },
  ])
  expect(
    await asked(`${all} !(state != "run") | align mean_within(10s) | filter vcpu_id == 0`),
  ).toEqual([{ where: 'state == run & vcpu_id == 0', from: undefined, to: undefined }])
  expect(await asked(`${all} timestamp > @00:00:20 && timestamp < @00:00:10`)).toEqual([])
})

test('the points fetched by a query are limited in total', async () => {
  const limit =
    'Query requires fetching more than the current limit of 5 data points from the timeseries database'
  expect(await ask('get disk:reads', { maxPoints: 5 })).toHaveLength(1)
  expect(await errorOf('get disk:reads', { maxPoints: 4 })).toBe(limit.replace('5', '4'))
  expect(await errorOf('{ get disk:reads; get disk:writes }', { maxPoints: 5 })).toBe(limit)
  expect(await ask('get disk:io_latency', { maxPoints: 32 })).toHaveLength(1)
  expect(await errorOf('get disk:io_latency', { maxPoints: 31 })).toBe(
    `${limit.replace('5', '31')}, where each histogram counts as 8`,
  )
})

test('timeseries are in the order of their keys, in whatever order they were read', async () => {
  const orders = await Promise.all(
    [reads.series, reads.series.toReversed()].map(async (series) => {
      const source = memorySource({ ...reads, series })
      const [table] = await evaluate(parse('get disk:reads'), { source, now: at(50) })
      return table!.timeseries.map((one) => one.fields.instance_id)
    }),
  )
  expect(orders[0]).toEqual(orders[1])
})
