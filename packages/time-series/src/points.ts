/** Points of one series as columns, and as bytes. */
import type { Datum, Histogram } from '@steading/oxql'
import { BadBytes, BitReader, BitWriter } from './bits.ts'
import { readColumn, writeColumn } from './column.ts'

/**
 * Points of one piece, of the same type: all or none have start times, and their data are numbers
 * or histograms with the same bins.
 */
export interface Points {
  timestamps: number[]
  startTimes: number[] | undefined
  /** NaN if missing. Undefined for histograms. */
  numbers: number[] | undefined
  histograms: (Histogram | null)[] | undefined
}

const WITH_START = 1
const HISTOGRAMS = 2
const WITH_MISSING = 4

const figures = ['min', 'max', 'sumOfSamples', 'squaredMean'] as const

export const emptyPoints = (withStart: boolean, histograms: boolean): Points => ({
  timestamps: [],
  startTimes: withStart ? [] : undefined,
  numbers: histograms ? undefined : [],
  histograms: histograms ? [] : undefined,
})

const sameBins = (a: Histogram, b: Histogram): boolean =>
  a.bins === b.bins ||
  (a.bins.length === b.bins.length && a.bins.every((bin, index) => bin === b.bins[index]))

const someHistogram = ({ histograms }: Points): Histogram | undefined =>
  histograms?.find((datum) => datum !== null)

/** Whether a datum has the same type as the existing points. */
export function fits(points: Points, startTime: number | undefined, datum: Datum | null): boolean {
  if ((points.startTimes === undefined) !== (startTime === undefined)) return false
  if (datum === null) return true
  if (typeof datum === 'number') return points.numbers !== undefined
  if (!points.histograms) return false
  const other = points.histograms.at(-1) ?? someHistogram(points)
  return !other || sameBins(other, datum)
}

export function push(
  points: Points,
  timestamp: number,
  startTime: number | undefined,
  datum: Datum | null,
): void {
  points.timestamps.push(timestamp)
  points.startTimes?.push(startTime!)
  if (points.numbers) points.numbers.push(datum === null ? Number.NaN : (datum as number))
  else points.histograms!.push(datum as Histogram | null)
}

export const datumAt = ({ numbers, histograms }: Points, index: number): Datum | null => {
  if (!numbers) return histograms![index]!
  const value = numbers[index]!
  return Number.isNaN(value) ? null : value
}

/** Points from one index to another, exclusive. */
export const slicePoints = (points: Points, begin: number, end: number): Points => ({
  timestamps: points.timestamps.slice(begin, end),
  startTimes: points.startTimes?.slice(begin, end),
  numbers: points.numbers?.slice(begin, end),
  histograms: points.histograms?.slice(begin, end),
})

function writeHistograms(out: BitWriter, present: readonly Histogram[]): void {
  const [first] = present
  if (!first) return
  out.varint(first.bins.length)
  out.varint(first.counts.length)
  writeColumn(out, first.bins)
  for (let bin = 0; bin < first.counts.length; bin++) {
    writeColumn(
      out,
      present.map(({ counts }) => counts[bin]!),
    )
  }
  for (const figure of figures) {
    writeColumn(
      out,
      present.map((histogram) => histogram[figure]),
    )
  }
}

function readHistograms(from: BitReader, count: number): Histogram[] {
  if (count === 0) return []
  const binCount = from.varint()
  const countCount = from.varint()
  const bins = readColumn(from, binCount)
  const counts = Array.from({ length: countCount }, () => readColumn(from, count))
  const [min, max, sum, squared] = figures.map(() => readColumn(from, count))
  return Array.from({ length: count }, (_, index) => ({
    bins,
    counts: counts.map((column) => column[index]!),
    min: min![index]!,
    max: max![index]!,
    sumOfSamples: sum![index]!,
    squaredMean: squared![index]!,
  }))
}

const writer = new BitWriter(4096)

export function encodePoints(points: Points): Uint8Array<ArrayBuffer> {
  const { timestamps, startTimes, numbers, histograms } = points
  const out = writer
  out.clear()
  const missing = numbers
    ? numbers.map((value) => (Number.isNaN(value) ? 1 : 0))
    : histograms!.map((datum) => (datum === null ? 1 : 0))
  const anyMissing = missing.includes(1)
  out.byte(
    (startTimes ? WITH_START : 0) | (histograms ? HISTOGRAMS : 0) | (anyMissing ? WITH_MISSING : 0),
  )
  out.varint(timestamps.length)
  writeColumn(out, timestamps)
  if (startTimes) writeColumn(out, startTimes)
  if (anyMissing) writeColumn(out, missing)
  if (histograms) {
    writeHistograms(
      out,
      histograms.filter((datum) => datum !== null),
    )
  } else {
    writeColumn(out, anyMissing ? numbers!.filter((value) => !Number.isNaN(value)) : numbers!)
  }
  return out.toBytes()
}

/** @throws BadBytes if the bytes are malformed */
export function decodePoints(bytes: Uint8Array): Points {
  const from = new BitReader(bytes)
  const flags = from.byte()
  if (flags > (WITH_START | HISTOGRAMS | WITH_MISSING)) throw new BadBytes('points of a new kind')
  const count = from.varint()
  const timestamps = readColumn(from, count)
  const startTimes = flags & WITH_START ? readColumn(from, count) : undefined
  const missing = flags & WITH_MISSING ? readColumn(from, count) : undefined
  const present = missing ? missing.filter((value) => value === 0).length : count
  const spread = <T>(values: T[], otherwise: T): T[] => {
    if (!missing) return values
    let next = 0
    return missing.map((value) => (value === 0 ? values[next++]! : otherwise))
  }
  if (flags & HISTOGRAMS) {
    const histograms = spread<Histogram | null>(readHistograms(from, present), null)
    return { timestamps, startTimes, numbers: undefined, histograms }
  }
  const numbers = spread(readColumn(from, present), Number.NaN)
  return { timestamps, startTimes, numbers, histograms: undefined }
}
