import { crc32 } from 'node:zlib'
import type { Datum, FieldValue, Sample, SeriesKey } from '@steading/oxql'
import { encodePoints, emptyPoints, fits, type Points, push } from './points.ts'
import { rowKey, type SeriesGroup, SeriesGroups } from './series-group.ts'

/** Encoded points of one series, as stored in a segment. */
export interface Piece {
  bytes: Uint8Array
  crc: number
  /** Times of the first and of the last point. */
  from: number
  to: number
  count: number
}

export function pieceOf(points: Points): Piece {
  const { timestamps } = points
  const bytes = encodePoints(points)
  return {
    bytes,
    crc: crc32(bytes),
    from: timestamps[0]!,
    to: timestamps.at(-1)!,
    count: timestamps.length,
  }
}

/** Maximum points of a piece; a longer one would be decoded for few points. */
export const PIECE_POINTS = 512
/** Maximum numbers of a piece of histograms, which have many each. */
const PIECE_NUMBERS = 8192
/** Memory of a series in the head, as a count of numbers. */
export const SERIES_WEIGHT = 64

/** A series in the head. */
export interface HeadSeries {
  readonly id: number
  readonly group: SeriesGroup
  readonly row: number
  /** The fields in original order, to recognize the object when it returns. */
  readonly names: readonly string[]
  readonly values: readonly FieldValue[]
  /** Whether the log has recorded the series of this id. */
  logged: boolean
  /** Time of the last sample; a new one must be later. */
  last: number
  /** As of the last sample in the log. */
  startTime: number | undefined
  pieces: Piece[]
  open: Points | undefined
}

/** Text identifying a series, from its ordered field names and values. */
export const keyOf = (
  name: string,
  fields: readonly string[],
  values: readonly FieldValue[],
): string => rowKey([name, ...fields, ...values])

const weightOf = (datum: Datum | null): number =>
  datum === null || typeof datum === 'number' ? 3 : datum.counts.length + 8

/** The latest samples, in memory as well as in the log. A large head is written to a segment. */
export class Head {
  readonly groups = new SeriesGroups()
  readonly series: HeadSeries[] = []
  #nextId = 0
  readonly #rows = new Map<SeriesGroup, HeadSeries[]>()
  readonly #byKey = new Map<string, HeadSeries>()
  /**
   * Collectors send the same objects repeatedly, and looking up a series by text is slow. Usually the
   * fields of one series only are an object.
   */
  readonly #byObject = new WeakMap<object, HeadSeries | Map<string, HeadSeries>>()
  from = Infinity
  to = -Infinity
  samples = 0
  /** Approximate numbers in memory. */
  weight = 0
  /** Number of series that had samples before this head. */
  returned = 0

  #remembered(name: string, fields: SeriesKey['fields']): HeadSeries | undefined {
    const known = this.#byObject.get(fields)
    const found = known instanceof Map ? known.get(name) : known
    if (found?.group.name !== name) return undefined
    // The caller may have changed the object since.
    let index = 0
    for (const field in fields) {
      if (found.names[index] !== field || found.values[index] !== fields[field]) return undefined
      index++
    }
    return index === found.names.length ? found : undefined
  }

  find({ name, fields }: SeriesKey): HeadSeries | undefined {
    const remembered = this.#remembered(name, fields)
    if (remembered) return remembered
    const sorted = Object.keys(fields).sort()
    const found = this.findValues(
      name,
      sorted,
      sorted.map((field) => fields[field]!),
    )
    if (found) this.#remember(fields, found)
    return found
  }

  seriesAt(group: SeriesGroup, row: number): HeadSeries {
    return this.#rows.get(group)![row]!
  }

  findValues(
    name: string,
    fields: readonly string[],
    values: readonly FieldValue[],
  ): HeadSeries | undefined {
    return this.#byKey.get(keyOf(name, fields, values))
  }

  #remember(fields: SeriesKey['fields'], series: HeadSeries): void {
    const names = Object.keys(fields)
    // Objects with other field orders are looked up by text each time.
    if (names.some((name, index) => name !== series.names[index])) return
    const { name } = series.group
    const known = this.#byObject.get(fields)
    if (known instanceof Map) known.set(name, series)
    else if (!known || known.group.name === name) this.#byObject.set(fields, series)
    else {
      const both = [known, series].map((its) => [its.group.name, its] as const)
      this.#byObject.set(fields, new Map(both))
    }
  }

  /**
   * Adds a new series.
   * @param last time of its last sample elsewhere
   * @param id in the log
   */
  add({ name, fields }: SeriesKey, last = -Infinity, id = this.#nextId): HeadSeries {
    const sorted = Object.keys(fields).sort()
    const group = this.groups.group(name, sorted)
    const values = sorted.map((field) => fields[field]!)
    const row = group.add(values)
    const names = Object.keys(fields)
    const series: HeadSeries = {
      id,
      group,
      row,
      names,
      values: names.map((field) => fields[field]!),
      logged: false,
      last,
      startTime: undefined,
      pieces: [],
      open: undefined,
    }
    this.#nextId = Math.max(this.#nextId, id) + 1
    this.series.push(series)
    const rows = this.#rows.get(group)
    if (rows) rows.push(series)
    else this.#rows.set(group, [series])
    this.#byKey.set(keyOf(name, sorted, values), series)
    this.#remember(fields, series)
    this.weight += SERIES_WEIGHT
    if (last > -Infinity) this.returned++
    return series
  }

  keys(): Iterable<string> {
    return this.#byKey.keys()
  }

  /** Times of the last samples, capped at a time, by `keyOf`. */
  *lastTimes(until: number): Generator<[key: string, last: number]> {
    for (const [key, { last }] of this.#byKey) yield [key, Math.min(last, until - 1)]
  }

  /** Adds a sample that is in the log, and later than the last one. */
  push(
    series: HeadSeries,
    { timestamp, startTime, datum }: Pick<Sample, 'timestamp' | 'startTime' | 'datum'>,
  ): void {
    const weight = weightOf(datum)
    let { open } = series
    if (open && (!fits(open, startTime, datum) || isFull(open, weight))) {
      series.pieces.push(pieceOf(open))
      open = undefined
    }
    if (!open) {
      const histograms = typeof datum === 'object' && datum !== null
      series.open = open = emptyPoints(startTime !== undefined, histograms)
    }
    push(open, timestamp, startTime, datum)
    series.last = timestamp
    if (timestamp < this.from) this.from = timestamp
    if (timestamp > this.to) this.to = timestamp
    this.samples++
    this.weight += weight
  }
}

const isFull = ({ timestamps }: Points, weight: number): boolean =>
  timestamps.length >= PIECE_POINTS || timestamps.length * weight >= PIECE_NUMBERS

/** All pieces of a series that no longer grows. */
export const piecesOf = ({ pieces, open }: HeadSeries): Piece[] =>
  open ? [...pieces, pieceOf(open)] : pieces
