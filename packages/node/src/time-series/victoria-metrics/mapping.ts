/**
 * How samples stand in VictoriaMetrics. It keeps whole numbers of up to 53 bits exactly, as long as no
 * others are among them, and others to some twelve digits; it has no missing values, no start times
 * and no types of labels. So a time series of ours is several of its own, with the same timestamps,
 * told apart by the label `steading_part`. The label `steading_fields` has the fields as JSON; those
 * that have a text are labels as well, for queries of other tools.
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
/** The number and the lower bound of a bin, like `3:1024`. */
const BIN = 'steading_bin'

const FIGURES = ['min', 'max', 'sum', 'squared'] as const

/** One line of an import or export. */
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
 * Appends a number under the name of its part. One that would be rounded goes into two other parts,
 * with the halves of its bits, and rounded into a third one, for other tools.
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

/** Texts that mean the same in JSON and in a query. */
const isPlain = (text: string): boolean =>
  // oxlint-disable-next-line no-control-regex
  text !== '' && text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text)

const isLabel = (field: string): boolean => !field.startsWith('steading_')

function labelsOf(name: string, fields: Record<string, FieldValue>): Record<string, string> {
  const labels: Record<string, string> = { [NAME]: name, [FIELDS]: fieldsText(fields) }
  for (const [field, value] of Object.entries(fields)) {
    const text = String(value)
    if (isLabel(field) && isPlain(text)) labels[field] = text
  }
  return labels
}

/** The lines of an import. */
export function linesOf(samples: readonly Sample[]): Iterable<Line> {
  const lines = new Map<string, Line>()
  const labels = new Map<string, Record<string, string>>()
  for (const { name, fields, timestamp, startTime, datum } of samples) {
    const key = `${name} ${fieldsText(fields)}`
    const put = (part: string, value: number, bin?: string) => {
      const lineKey = `${part} ${bin ?? ''} ${key}`
      let line = lines.get(lineKey)
      if (!line) {
        let common = labels.get(key)
        if (!common) labels.set(key, (common = labelsOf(name, fields)))
        const metric = { ...common, [PART]: part, ...(bin !== undefined && { [BIN]: bin }) }
        lines.set(lineKey, (line = { metric, timestamps: [], values: [] }))
      }
      line.timestamps.push(timestamp)
      line.values.push(value)
    }
    if (startTime !== undefined) put('start', startTime)
    if (datum === null) put('missing', 1)
    else if (typeof datum === 'number') putNumber(put, 'value', datum)
    else {
      const { bins, counts, min, max, sumOfSamples, squaredMean } = datum
      counts.forEach((count, index) => put('count', count, `${index}:${bins[index] ?? ''}`))
      const figures = [min, max, sumOfSamples, squaredMean]
      FIGURES.forEach((figure, index) => putNumber(put, figure, figures[index]!))
    }
  }
  return lines.values()
}

const matcherOf = ({ field, comparison, value }: FieldCondition): string | undefined =>
  comparison === '==' && isLabel(field) && isPlain(String(value))
    ? `${field}=${JSON.stringify(String(value))}`
    : undefined

/** The series of a selection, as far as VictoriaMetrics can tell; the rest is for the reader. */
export function matchersOf({ name, where }: Pick<Selection, 'name' | 'where'>): string {
  const matchers = where.map(matcherOf).filter((matcher) => matcher !== undefined)
  return `{${[`${NAME}=${JSON.stringify(name)}`, `${PART}!=""`, ...matchers].join(',')}}`
}

export const nameOf = ({ metric }: Line): string => metric[NAME]!
export const fieldsTextOf = ({ metric }: Line): string => metric[FIELDS]!

/** What is known of the points of one series. */
export class PointsBuilder {
  readonly fields: Record<string, FieldValue>
  /** Timestamp → part → value. A part of a count has its bin behind it. */
  readonly #points = new Map<number, Map<string, number>>()
  /** Points that were never sent, or not long ago. */
  readonly #own = new Map<number, { startTime: number | undefined; datum: Datum | null }>()

  constructor(fields: Record<string, FieldValue>) {
    this.fields = fields
  }

  /** How many points there are at least. */
  get size(): number {
    return this.#points.size + this.#own.size
  }

  addLine({ metric, timestamps, values }: Line, from: number, to: number): void {
    const part = metric[BIN] === undefined ? metric[PART]! : `${metric[PART]!} ${metric[BIN]}`
    timestamps.forEach((timestamp, index) => {
      if (timestamp < from || timestamp >= to || this.#own.has(timestamp)) return
      let parts = this.#points.get(timestamp)
      if (!parts) this.#points.set(timestamp, (parts = new Map()))
      parts.set(part, values[index]!)
    })
  }

  /** Adds a sample that VictoriaMetrics need not tell of yet; to be called before lines are added. */
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
