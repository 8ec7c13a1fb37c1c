import { crc32 } from 'node:zlib'
import type { Datum, FieldValue, Sample, SeriesKey } from '@steading/oxql'
import { encodePoints, emptyPoints, fits, type Points, push } from './points.ts'
import { rowKey, type SeriesGroup, SeriesGroups } from './series-group.ts'

/** Encoded points of one series, as they stand in a segment. */
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

/** Points of a piece; a longer one would be decoded for few points. */
export const PIECE_POINTS = 512
/** Numbers of a piece of histograms, each of which has many. */
const PIECE_NUMBERS = 8192
/** What the memory of a series costs, in numbers. */
export const SERIES_WEIGHT = 64

/** A series in the head. */
export interface HeadSeries {
  readonly id: number
  readonly group: SeriesGroup
  readonly row: number
  /** The fields as they came, to recognise the object when it comes again. */
  readonly names: readonly string[]
  readonly values: readonly FieldValue[]
  /** Whether the log has told which series has this id. */
  logged: boolean
  /** The time of the last sample; no later one may come before it. */
  last: number
  /** As of the last sample in the log. */
  startTime: number | undefined
  pieces: Piece[]
  open: Points | undefined
}

/** A text for a series, from the names of its fields in their order, and their values. */
export const keyOf = (
  name: string,
  fields: readonly string[],
  values: readonly FieldValue[],
): string => rowKey([name, ...fields, ...values])

const weightOf = (datum: Datum | null): number =>
  datum === null || typeof datum === 'number' ? 3 : datum.counts.length + 8

/**
 * The newest samples, in memory; the log has them, too. A head ends when it has grown enough, and is
 * written to a segment.
 */
export class Head {
  readonly groups = new SeriesGroups()
  readonly series: HeadSeries[] = []
  #nextId = 0
  readonly #rows = new Map<SeriesGroup, HeadSeries[]>()
  readonly #byKey = new Map<string, HeadSeries>()
  /** Collectors send the same objects again and again, and finding a series by its text is slow. */
  readonly #byObject = new WeakMap<object, Map<string, HeadSeries>>()
  from = Infinity
  to = -Infinity
  samples = 0
  /** Numbers in memory, about. */
  weight = 0
  /** How many of the series had samples before this head. */
  returned = 0

  #remembered(name: string, fields: SeriesKey['fields']): HeadSeries | undefined {
    const found = this.#byObject.get(fields)?.get(name)
    if (!found) return undefined
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
    // An object in another order of its fields is found by its text each time.
    if (names.some((name, index) => name !== series.names[index])) return
    let named = this.#byObject.get(fields)
    if (!named) this.#byObject.set(fields, (named = new Map()))
    named.set(series.group.name, series)
  }

  /**
   * A series that is not there yet.
   * @param last the time of its last sample elsewhere
   * @param id what the log calls it
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

  /** The times of the last samples before a time, or that time, by what `keyOf` says. */
  lastTimes(until: number): Map<string, number> {
    return new Map([...this.#byKey].map(([key, { last }]) => [key, Math.min(last, until - 1)]))
  }

  /** Takes a sample that the log has, and that is later than the last one. */
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
