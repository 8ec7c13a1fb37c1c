/** Query answers as named series, charts and rows. */
import type { FieldValue, OxqlQueryResult } from '@steading/api/client'
import { timeseriesFacts } from '@steading/api/timeseries'
import { expect, test } from 'vitest'
import { firstPointText } from '../../src/observability/timeseries/run-query.ts'
import { chartsOf, MOST_LINES } from '../../src/observability/timeseries/result-charts.ts'
import { csvOfRows, rowsOf } from '../../src/observability/timeseries/result-rows.ts'
import { seriesOf } from '../../src/observability/timeseries/result-series.ts'
import type { Schema } from '../../src/observability/timeseries/schemas.ts'
import { namesOf } from '../../src/observability/timeseries/series-names.ts'
import { unitFormat } from '../../src/observability/timeseries/unit-format.ts'

const schemas: Schema[] = timeseriesFacts.map(({ name, fields, ...fact }) => ({
  ...fact,
  timeseriesName: name,
  fieldSchema: fields,
}))

const [wheel, anvil] = ['11111111', '22222222'].map(
  (begin) => `${begin}-0000-4000-8000-000000000000`,
)
const text = (value: string): FieldValue => ({ type: 'string', value })
const id = (value: string): FieldValue => ({ type: 'uuid', value })
const number = (value: number): FieldValue => ({ type: 'u32', value })

type Made = { fields: Record<string, FieldValue>; values?: (number | null)[]; from?: number }

/** Points at every second; field keys are in the client's spelling. */
const answer = (name: string, ...made: Made[]): OxqlQueryResult => ({
  tables: [
    {
      name,
      timeseries: made.map(({ fields, values = [1], from = 0 }) => ({
        fields,
        points: {
          startTimes: null,
          timestamps: values.map((_, index) => new Date((from + index) * 1000)),
          values: [{ metricType: 'gauge', values: { type: 'double', values } }],
        },
      })),
    },
  ],
})

const names = (result: OxqlQueryResult, nameOf?: (id: string) => string | undefined) =>
  namesOf(seriesOf(result, schemas), nameOf)

test('all fields of all schemas keep their names', () => {
  const camel = (key: string) =>
    key.replaceAll(/_([a-z0-9])/g, (_, character: string) => character.toUpperCase())
  for (const { name, fields } of timeseriesFacts) {
    const made = Object.fromEntries(fields.map((field) => [camel(field.name), text('x')]))
    const [series] = seriesOf(answer(name, { fields: made }), schemas)
    expect(Object.keys(series!.fields)).toEqual(fields.map((field) => field.name))
  }
})

test('series are named by their differences, and a lone one by its metric', () => {
  const lone = answer('virtual_disk:reads', { fields: { diskId: id(wheel!) } })
  expect(names(lone)).toEqual(['virtual_disk:reads'])
  const states = answer(
    'virtual_machine:vcpu_usage',
    ...['run', 'idle'].flatMap((state) =>
      [0, 1].map((cpu) => ({
        fields: { state: text(state), vcpuId: number(cpu), instanceId: id(wheel!) },
      })),
    ),
  )
  expect(names(states)).toEqual([
    'run, vcpu_id 0',
    'run, vcpu_id 1',
    'idle, vcpu_id 0',
    'idle, vcpu_id 1',
  ])
})

test('instances come before the sleds that they are on, by their names', () => {
  const result = answer(
    'virtual_machine:vcpu_usage',
    { fields: { instanceId: id(wheel!), sledSerial: text('A'), sledId: id(anvil!) } },
    { fields: { instanceId: id(anvil!), sledSerial: text('B'), sledId: id(wheel!) } },
  )
  expect(names(result)).toEqual(['instance_id 11111111', 'instance_id 22222222'])
  expect(names(result, (one) => (one === wheel ? 'wheel' : undefined))).toEqual([
    'wheel',
    'instance_id 22222222',
  ])
})

test('the name of a disk omits its instance', () => {
  const disks = [0, 1].map((at) => ({
    fields: { attachedInstanceId: id(wheel!), diskId: id(`${at}`.repeat(8)) },
  }))
  const other = { fields: { attachedInstanceId: id(anvil!), diskId: id('22222222') } }
  expect(names(answer('virtual_disk:reads', ...disks, other))).toEqual([
    'disk_id 00000000',
    'disk_id 11111111',
    'disk_id 22222222',
  ])
})

test('names of series from several metrics include the metric, and are unique', () => {
  const result: OxqlQueryResult = {
    tables: [
      ...answer('virtual_disk:reads', { fields: {} }).tables,
      ...answer('virtual_disk:writes', { fields: {} }, { fields: {} }).tables,
    ],
  }
  expect(names(result)).toEqual([
    'virtual_disk:reads',
    'virtual_disk:writes',
    'virtual_disk:writes (2)',
  ])
})

test('a distribution is three percentiles; a joined table is named metric by metric', () => {
  const spread = {
    bins: [0],
    counts: [1],
    sumOfSamples: 1,
    squaredMean: 0,
    p50: 5,
    p90: 9,
    p99: null,
  }
  const points = (
    values: OxqlQueryResult['tables'][number]['timeseries'][number]['points']['values'],
  ) => ({
    startTimes: [new Date(0)],
    timestamps: [new Date(1000)],
    values,
  })
  const distribution = seriesOf(
    {
      tables: [
        {
          name: 'virtual_disk:io_latency',
          timeseries: [
            {
              fields: {},
              points: points([
                { metricType: 'delta', values: { type: 'integer_distribution', values: [spread] } },
              ]),
            },
          ],
        },
      ],
    },
    schemas,
  )
  expect(distribution.map(({ part, units, values }) => [part, units, values])).toEqual([
    ['p50', 'nanoseconds', [5]],
    ['p90', 'nanoseconds', [9]],
    ['p99', 'nanoseconds', [null]],
  ])
  const one = { metricType: 'gauge' as const, values: { type: 'double' as const, values: [1] } }
  const joined = seriesOf(
    {
      tables: [
        {
          name: 'virtual_disk:bytes_read,virtual_disk:reads',
          timeseries: [{ fields: {}, points: points([one, one]) }],
        },
      ],
    },
    schemas,
  )
  expect(joined.map(({ metric, units }) => [metric, units])).toEqual([
    ['virtual_disk:bytes_read', 'bytes'],
    ['virtual_disk:reads', 'count'],
  ])
  // Each unit has its own chart, because a chart has one axis.
  expect(chartsOf(joined).map(({ title, format }) => [title, format.unit])).toEqual([
    ['virtual_disk:bytes_read', 'Bytes/s'],
    ['virtual_disk:reads', 'Count per second'],
  ])
})

test('drops points before the range, and differences that began before it', () => {
  const result: OxqlQueryResult = {
    tables: [
      {
        name: 'virtual_disk:reads',
        timeseries: [
          {
            fields: {},
            points: {
              startTimes: [new Date(0), new Date(5000)],
              timestamps: [new Date(5000), new Date(6000)],
              values: [{ metricType: 'delta', values: { type: 'integer', values: [900, 1] } }],
            },
          },
        ],
      },
    ],
  }
  const [series] = seriesOf(result, schemas, { from: 4000, to: 9000 })
  expect(series).toMatchObject({ times: [6000], values: [1] })
  expect(seriesOf(result, schemas)[0]!.values).toEqual([900, 1])
})

test('a chart has gaps for missing values, but not at the times of other series', () => {
  const result = answer(
    'virtual_disk:reads',
    { fields: { diskId: id(wheel!) }, values: [1, null, 3] },
    { fields: { diskId: id(anvil!) }, values: [2, 4, 6], from: 0.5 },
  )
  const series = seriesOf(result, schemas)
  const [chart] = chartsOf(series)
  expect(chart!.data.times).toEqual([0, 500, 1000, 1500, 2000, 2500])
  expect(chart!.data.series.map(({ values }) => values)).toEqual([
    [1, null, null, null, 3, null],
    [null, 2, 3, 4, 5, 6],
  ])
})

test('a chart draws a limited number of series, and counts the rest', () => {
  const many = Array.from({ length: MOST_LINES + 3 }, (_, at) => ({ fields: { n: number(at) } }))
  const series = seriesOf(answer('virtual_disk:reads', ...many), schemas)
  const [chart] = chartsOf(series)
  expect(chart!.data.series).toHaveLength(MOST_LINES)
  expect(chart!.left).toBe(3)
})

test('values are shown in their most readable unit', () => {
  const shown = (units: Schema['units'], value: number) => {
    const format = unitFormat(units, value)
    return format.value(value / format.size)
  }
  expect(shown('bytes', 3 * 1024 ** 2)).toBe('3 MiB')
  expect(shown('nanoseconds', 2_500_000)).toBe('2.5 ms')
  expect(shown('seconds', 0.02)).toBe('20 ms')
  expect(shown('degrees_celsius', 41.256)).toBe('41.26 °C')
  expect(shown('volts', 0.001234)).toBe('0.00123 V')
  expect(shown('count', 12)).toBe('12')
})

test.each<[string, number[], number[] | undefined, number]>([
  // Differences contain their counting time, even after downsampling of old points.
  ['virtual_disk:reads', [10, 20, 30], [0, 10, 20], 0.1],
  ['virtual_disk:reads', [300, 600, 900], [0, 300, 600], 1 / 300],
  ['virtual_disk:reads', [86_400], [0], 0.1],
  // Aligned values are means over samples; a window shorter than the sample distance holds a
  // part of one.
  ['virtual_disk:bytes_read', [60, 120], undefined, 0.1],
  ['virtual_disk:bytes_read', [1, 2], undefined, 1],
  ['virtual_machine:vcpu_usage', [60, 120], undefined, 1 / 5e7],
  ['hardware_component:temperature', [10, 20], undefined, 1],
])('one of %s at %j from %j is a rate of %d', (name, times, starts, rate) => {
  const result = answer(name, { fields: {}, values: times.map(() => 1) })
  const { points } = result.tables[0]!.timeseries[0]!
  points.timestamps = times.map((time) => new Date(time * 1000))
  points.startTimes = starts?.map((time) => new Date(time * 1000)) ?? null
  expect(chartsOf(seriesOf(result, schemas))[0]!.data.series[0]!.values[0]).toBeCloseTo(rate, 12)
})

test('axes have the unit', () => {
  expect(unitFormat('bytes', 3 * 1024 ** 2).tick(2)).toBe('2 MiB')
  expect(unitFormat('degrees_celsius', 40).tick(40)).toBe('40 °C')
  expect(unitFormat('count', 4000).tick(4000)).toBe('4k')
  expect(unitFormat('count/10s', 4000)).toMatchObject({ unit: 'Count per second', size: 10 })
  expect(unitFormat('nanoseconds/5s', 1e9)).toMatchObject({ unit: '%', size: 5e7 })
  expect(unitFormat('bytes/10s', 2 ** 21).tick(0.2)).toBe('0.2 KiB/s')
})

test('an answer without points tells the time of the first point of a new series', () => {
  expect(firstPointText('get virtual_disk:reads | align mean_within(1m)')).toBe(
    'Measured every 10 seconds, so the first point of a new resource comes after 10 seconds.',
  )
  expect(firstPointText('get theirs:unknown')).toBeUndefined()
})

test('the CSV has every point with its fields, newest first', () => {
  const result = answer('virtual_disk:failed_reads', {
    fields: { failureReason: text('a, "b"'), blockSize: number(512) },
    values: [1, null],
  })
  expect(csvOfRows(rowsOf(seriesOf(result, schemas)))).toBe(
    [
      'time,metric,block_size,failure_reason,value,unit',
      '1970-01-01T00:00:01.000Z,virtual_disk:failed_reads,512,"a, ""b""",,count',
      '1970-01-01T00:00:00.000Z,virtual_disk:failed_reads,512,"a, ""b""",1,count',
      '',
    ].join('\r\n'),
  )
})
