/**
 * `npm run bench:oxql`: duration of queries over a million points, without reading them from a
 * store: typical queries of a console, and the most expensive ones within the limits. Ratios are to
 * a filter that no point passes. Only measures; compare two runs on one machine.
 */
import {
  evaluate,
  LOOKS_PER_POINT,
  meetsAll,
  parse,
  POINTS_MAX,
  type Series,
  type SeriesSource,
  type TimeseriesSchema,
  toWire,
} from '@steading/oxql'

const RUNS = 5
const EVERY = 5000
const NOW = Date.parse('2026-06-01T12:00:00Z')
const STATES = ['run', 'idle', 'waiting', 'emulation']

const schema: TimeseriesSchema = {
  name: 'virtual_machine:vcpu_usage',
  description: { target: '', metric: '' },
  fields: (['instance_id', 'state', 'vcpu_id'] as const).map((name) => ({
    name,
    fieldType: ({ instance_id: 'uuid', state: 'string', vcpu_id: 'u32' } as const)[name],
    source: 'target',
    description: '',
  })),
  datumType: 'cumulative_u64',
  units: 'nanoseconds',
  authzScope: 'project',
}

const idOf = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** Counters that restart once. */
function seriesOf(count: number): Series[] {
  const length = POINTS_MAX / count
  const begin = NOW - length * EVERY
  const restart = begin + (length >> 1) * EVERY
  return Array.from({ length: count }, (_, number) => ({
    fields: {
      instance_id: idOf(number >> 2),
      state: STATES[number & 3]!,
      vcpu_id: (number >> 2) & 3,
    },
    timestamps: Array.from({ length }, (__, at) => begin + at * EVERY),
    startTimes: Array.from({ length }, (__, at) => (at < length >> 1 ? begin : restart)),
    values: Array.from({ length }, (__, at) => (at % (length >> 1)) * 1e9 + ((at * 7919) % 1000)),
  }))
}

const sourceOf = (series: Series[]): SeriesSource => ({
  schema: () => schema,
  read: ({ where }) => {
    const matches = meetsAll(where)
    return Promise.resolve(series.filter(({ fields }) => matches(fields)))
  },
})

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Measured {
  ms: number
  /** Longest time without yielding to other work. */
  longest: number
  result: string
}

async function measure(text: string, source: SeriesSource): Promise<Measured> {
  const times: number[] = []
  let longest = 0
  let result = ''
  for (let run = 0; run < RUNS; run++) {
    const begin = performance.now()
    let turn = begin
    const pause = async (): Promise<void> => {
      longest = Math.max(longest, performance.now() - turn)
      await breathe()
      turn = performance.now()
    }
    try {
      const tables = await evaluate(parse(text), { source, now: NOW, pause })
      const wire = toWire(tables).tables.flatMap(({ timeseries }) => timeseries)
      const points = wire.reduce((sum, one) => sum + one.points.timestamps.length, 0)
      result = `${wire.length} series, ${points} points`
    } catch (error) {
      result = (error as Error).message.slice(0, 60)
    }
    times.push(performance.now() - begin)
    longest = Math.max(longest, performance.now() - turn)
  }
  return { ms: times.toSorted((a, b) => a - b)[RUNS >> 1]!, longest, result }
}

const name = schema.name
const get = `get ${name}`
const repeat = (piece: string, times: number): string => piece.repeat(times)

const queries: [label: string, text: string][] = [
  ['one instance by state', `${get} | filter instance_id == "${idOf(7)}" | align mean_within(1m)`],
  [
    'one instance, sum of states',
    `${get} | filter timestamp >= @now() - 1d && instance_id == "${idOf(7)}" | align mean_within(1m) | group_by [instance_id], sum`,
  ],
  ['all, averages of minutes', `${get} | align mean_within(1m)`],
  [
    'all, sum of each instance',
    `${get} | filter state == "run" || state == "idle" | align mean_within(1m) | group_by [instance_id], sum`,
  ],
  ['all, one sum', `${get} | align mean_within(5m) | group_by [], sum`],
  [
    'all, joined with itself',
    `{ ${['run', 'idle'].map((state) => `${get} | filter state == "${state}" | align mean_within(1m) | group_by [instance_id]`).join(';')} } | join`,
  ],
  ['all, newest points', `${get} | last 1`],
  ['all as it is', get],
]
const expensive: [label: string, text: string][] = [
  ['60 conditions on values', `${get} | filter ${repeat('datum>1&&', 59)}datum>2`],
  ['200 conditions on values', `${get} | filter ${repeat('datum>1&&', 199)}datum>2`],
  ['200 filters', `${get}${repeat('|filter datum>=0', 200)}`],
  ['16 alignments', `${get}${repeat('|align mean_within(6s)', 16)}`],
  ['100 alignments', `${get}${repeat('|align mean_within(6s)', 100)}`],
  ['100 regular expressions', `${get} | filter ${repeat('state~="(x+x+)+y"||', 100)}vcpu_id==1`],
]

const [first, second] = [sourceOf(seriesOf(400)), sourceOf(seriesOf(10_000))]

async function table(title: string, list: [string, string][], source: SeriesSource) {
  console.log(
    `\n${title.padEnd(36)}${'time'.padStart(12)}${'longest turn'.padStart(16)}${'ratio'.padStart(9)}`,
  )
  // All points are visited, and none passes.
  const base = await measure(`${get} | filter datum < 0`, source)
  for (const [label, text] of [
    ['reading, and a filter', `${get} | filter datum < 0`] as const,
    ...list,
  ]) {
    const { ms, longest, result } = await measure(text, source)
    const ratio = `${(ms / base.ms).toFixed(1)}×`
    console.log(
      `${label.padEnd(36)}${`${ms.toFixed(0)} ms`.padStart(12)}${`${longest.toFixed(0)} ms`.padStart(16)}${ratio.padStart(9)}  ${result}`,
    )
  }
}

await table('400 series of 2,500 points', queries, first)
await table('10,000 series of 100 points', queries, second)
await table(`most expensive (${LOOKS_PER_POINT} looks at each point)`, expensive, first)
