/**
 * Representation of samples in VictoriaMetrics. It stores integers of up to 53 bits exactly, as
 * long as no other numbers are in the series, and others to some twelve digits; it has no missing
 * values, start times or label types. So each of our time series is stored as several, with the
 * same timestamps and different values of the label `steading_part`; a restarted counter changes
 * the value of `steading_start`. The label `steading_fields` has the fields as JSON; fields with
 * plain text are labels as well, for queries of other tools.
 */
import type {
  Datum,
  FieldCondition,
  FieldValue,
  Histogram,
  Sample,
  Selection,
  Series,
} from '@steading/oxql'

const NAME = '__name__'
const FIELDS = 'steading_fields'
const PART = 'steading_part'
/** Start time of a count in milliseconds. */
const START = 'steading_start'
/** Number and lower bound of a bin, like `3:1024`. */
const BIN = 'steading_bin'

const FIGURES = ['min', 'max', 'sum', 'squared'] as const

/** One line of an export. */
export interface Line {
  metric: Record<string, string>
  timestamps: number[]
  values: number[]
}

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)
const [LOW, HIGH] = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? [0, 1] : [1, 0]

const isExact = (value: number): boolean => Number.isSafeInteger(value) && !Object.is(value, -0)

/**
 * Appends a number under the name of its part. A number that would be rounded is stored as two
 * parts with the halves of its bits, and rounded as a third part, for other tools.
 */
function putNumber(put: (part: string, value: number) => void, part: string, value: number): void {
  if (isExact(value)) {
    put(part, value)
    return
  }
  if (Number.isFinite(value)) put(`${part}_rounded`, value)
  double[0] = value
  put(`${part}_high`, words[HIGH]!)
  put(`${part}_low`, words[LOW]!)
}

function numberOf(parts: ReadonlyMap<string, number>, part: string): number | undefined {
  const high = parts.get(`${part}_high`)
  const low = parts.get(`${part}_low`)
  if (high === undefined || low === undefined) return parts.get(part)
  words[HIGH] = high
  words[LOW] = low
  return double[0]
}

export const fieldsText = (fields: Record<string, FieldValue>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))))

/** Text identity of a series, and its labels. */
interface SeriesText {
  key: string
  labels: string
  names: readonly string[]
  values: readonly FieldValue[]
}

/** Collectors send the same objects repeatedly, and formatting them is slow. */
const texts = new WeakMap<object, Map<string, SeriesText>>()

function isOf({ names, values }: SeriesText, fields: Record<string, FieldValue>): boolean {
  let index = 0
  for (const field in fields) {
    if (names[index] !== field || values[index] !== fields[field]) return false
    index++
  }
  return index === names.length
}

function textOf({ name, fields }: Pick<Sample, 'name' | 'fields'>): SeriesText {
  let named = texts.get(fields)
  if (!named) texts.set(fields, (named = new Map()))
  const known = named.get(name)
  // The caller may have changed the object since.
  if (known && isOf(known, fields)) return known
  const sorted = fieldsText(fields)
  const text: SeriesText = {
    key: `${name} ${sorted}`,
    // Without the closing brace, because more labels follow.
    labels: JSON.stringify(labelsOf(name, fields, sorted)).slice(0, -1),
    names: Object.keys(fields),
    values: Object.values(fields),
  }
  named.set(name, text)
  return text
}

/** A text that is equal for two samples of one series. */
export const keyOf = (sample: Pick<Sample, 'name' | 'fields'>): string => textOf(sample).key

/** Whether a text needs no escapes in JSON and in queries. */
const isPlain = (text: string): boolean =>
  // oxlint-disable-next-line no-control-regex
  text !== '' && text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text)

const isLabel = (field: string): boolean => !field.startsWith('steading_')

function labelsOf(
  name: string,
  fields: Record<string, FieldValue>,
  sorted: string,
): Record<string, string> {
  const labels: Record<string, string> = { [NAME]: name, [FIELDS]: sorted }
  for (const [field, value] of Object.entries(fields)) {
    const text = String(value)
    if (isLabel(field) && isPlain(text)) labels[field] = text
  }
  return labels
}

/** Lines of an import, each as JSON. */
export function linesOf(samples: readonly Sample[]): string[] {
  const lines = new Map<string, { metric: string; timestamps: number[]; values: number[] }>()
  for (const sample of samples) {
    const { timestamp, startTime, datum } = sample
    const { key, labels } = textOf(sample)
    const put = (part: string, value: number, bin?: string) => {
      const lineKey = `${part} ${bin ?? ''} ${startTime ?? ''} ${key}`
      let line = lines.get(lineKey)
      if (!line) {
        const more = { [PART]: part, [START]: startTime?.toString(), [BIN]: bin }
        const metric = `${labels},${JSON.stringify(more).slice(1)}`
        lines.set(lineKey, (line = { metric, timestamps: [], values: [] }))
      }
      line.timestamps.push(timestamp)
      line.values.push(value)
    }
    if (datum === null) put('missing', 1)
    else if (typeof datum === 'number') putNumber(put, 'value', datum)
    else {
      const { bins, counts, min, max, sumOfSamples, squaredMean } = datum
      counts.forEach((count, index) => put('count', count, `${index}:${bins[index] ?? ''}`))
      const figures = [min, max, sumOfSamples, squaredMean]
      FIGURES.forEach((figure, index) => putNumber(put, figure, figures[index]!))
    }
  }
  return Array.from(
    lines.values(),
    ({ metric, timestamps, values }) =>
      `{"metric":${metric},"timestamps":[${timestamps.join()}],"values":[${values.join()}]}`,
  )
}

const matcherOf = ({ field, comparison, value }: FieldCondition): string | undefined =>
  comparison === '==' && isLabel(field) && isPlain(String(value))
    ? `${field}=${JSON.stringify(String(value))}`
    : undefined

/** Matchers of a selection, as far as VictoriaMetrics supports it; the reader filters the rest. */
export function matchersOf({ name, where }: Pick<Selection, 'name' | 'where'>): string {
  const matchers = where.map(matcherOf).filter((matcher) => matcher !== undefined)
  return `{${[`${NAME}=${JSON.stringify(name)}`, `${PART}!=""`, ...matchers].join(',')}}`
}

export const nameOf = ({ metric }: Line): string => metric[NAME]!
export const fieldsTextOf = ({ metric }: Line): string => metric[FIELDS]!

/** Collects the points of one series. */
export class PointsBuilder {
  readonly fields: Record<string, FieldValue>
  /** Timestamp → part → value. The bin follows the part of a count. */
  readonly #points = new Map<number, Map<string, number>>()
  /** Points that were sent recently, or not at all. */
  readonly #own = new Map<number, { startTime: number | undefined; datum: Datum | null }>()

  constructor(fields: Record<string, FieldValue>) {
    this.fields = fields
  }

  /** Minimum number of points. */
  get size(): number {
    return this.#points.size + this.#own.size
  }

  addLine({ metric, timestamps, values }: Line, from: number, to: number): void {
    const start = metric[START]
    const part = metric[BIN] === undefined ? metric[PART]! : `${metric[PART]!} ${metric[BIN]}`
    timestamps.forEach((timestamp, index) => {
      if (timestamp < from || timestamp >= to || this.#own.has(timestamp)) return
      let parts = this.#points.get(timestamp)
      if (!parts) this.#points.set(timestamp, (parts = new Map()))
      parts.set(part, values[index]!)
      if (start !== undefined) parts.set('start', Number(start))
    })
  }

  /** Adds a sample that VictoriaMetrics need not return yet; call this before adding lines. */
  addOwn({ timestamp, startTime, datum }: Sample): void {
    this.#own.set(timestamp, { startTime, datum })
  }

  build(): Series {
    const timestamps = [...this.#points.keys(), ...this.#own.keys()].sort((a, b) => a - b)
    const points = timestamps.map(
      (timestamp) => this.#own.get(timestamp) ?? pointOf(this.#points.get(timestamp)!),
    )
    const values = points.map(({ datum }) => datum)
    if (points.every(({ startTime }) => startTime === undefined)) {
      return { fields: this.fields, timestamps, values }
    }
    const startTimes = points.map(({ startTime }, index) => startTime ?? timestamps[index]!)
    return { fields: this.fields, timestamps, startTimes, values }
  }
}

function pointOf(parts: ReadonlyMap<string, number>): {
  startTime: number | undefined
  datum: Datum | null
} {
  const startTime = parts.get('start')
  const value = numberOf(parts, 'value')
  if (value !== undefined) return { startTime, datum: value }
  const counts = [...parts]
    .filter(([part]) => part.startsWith('count '))
    .map(([part, count]) => {
      const [index, bin] = part.slice('count '.length).split(':')
      return { index: Number(index), bin, count }
    })
    .sort((a, b) => a.index - b.index)
  if (counts.length === 0) return { startTime, datum: null }
  const [min, max, sumOfSamples, squaredMean] = FIGURES.map((figure) => numberOf(parts, figure))
  const datum: Histogram = {
    bins: counts.filter(({ bin }) => bin !== '').map(({ bin }) => Number(bin)),
    counts: counts.map(({ count }) => count),
    min: min!,
    max: max!,
    sumOfSamples: sumOfSamples!,
    squaredMean: squaredMean!,
  }
  return { startTime, datum }
}
