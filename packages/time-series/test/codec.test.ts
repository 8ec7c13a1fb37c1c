/** The codec is lossless, bit for bit. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BadBytes, BitReader, BitWriter } from '../src/bits.ts'
import { readColumn, writeColumn } from '../src/column.ts'
import { decodePoints, encodePoints, type Points } from '../src/points.ts'

function bytesOf(values: readonly number[]): Uint8Array {
  const out = new BitWriter(1)
  writeColumn(out, values)
  return out.toBytes()
}

/** Writes and reads a column, and the data after it. */
function comesBack(values: readonly number[]): void {
  const out = new BitWriter(1)
  out.byte(7)
  writeColumn(out, values)
  out.byte(9)
  const from = new BitReader(out.toBytes())
  expect(from.byte()).toBe(7)
  // `toEqual` distinguishes -0 from 0.
  expect(readColumn(from, values.length)).toEqual(values)
  expect(from.byte()).toBe(9)
  expect(from.atEnd).toBe(true)
}

const numbers = fc.oneof(
  fc.double({ noNaN: true }),
  fc.float({ noNaN: true }),
  fc.maxSafeInteger(),
  fc.integer(),
  fc.integer({ min: -20, max: 20 }),
  fc.integer({ min: -20_000, max: 20_000 }).map((value) => value / 100),
  fc.integer({ min: -20_000, max: 20_000 }).map((value) => Math.fround(value / 10)),
  fc.constantFrom(
    0,
    -0,
    Infinity,
    -Infinity,
    5e-324,
    Number.MAX_VALUE,
    2 ** 53 - 1,
    -(2 ** 53 - 1),
  ),
)

/** A counter with large, small or no growth, and occasional restarts. */
const counters = fc
  .array(
    fc.oneof(
      { weight: 20, arbitrary: fc.nat(3) },
      { weight: 5, arbitrary: fc.nat(2 ** 31 - 1) },
      { weight: 1, arbitrary: fc.nat(2 ** 31 - 1).map((value) => value * 2 ** 21) },
      { weight: 1, arbitrary: fc.constant(-1) },
    ),
    { maxLength: 200 },
  )
  .map((steps) => {
    let value = 0
    return steps.map((step) => (value = step < 0 || value + step > 2 ** 53 ? 0 : value + step))
  })

test('any numbers are restored from a column', () => {
  fc.assert(fc.property(fc.array(numbers, { maxLength: 200 }), comesBack), { numRuns: 300 })
  // Uniform numbers use other encodings than mixed ones.
  for (const sort of [
    fc.double({ noNaN: true }),
    fc.float({ noNaN: true }),
    fc.maxSafeInteger(),
    fc.integer({ min: 0, max: 1 }),
    fc.integer({ min: -9_999, max: 9_999 }).map((value) => value / 10),
    fc.integer({ min: -9_999, max: 9_999 }).map((value) => Math.fround(value / 10)),
  ]) {
    fc.assert(fc.property(fc.array(sort, { maxLength: 200 }), comesBack), { numRuns: 100 })
  }
  fc.assert(fc.property(counters, comesBack), { numRuns: 300 })
  const multiples = fc.tuple(fc.integer(), fc.nat(5_000), fc.array(fc.integer()))
  fc.assert(
    fc.property(multiples, ([first, unit, steps]) =>
      comesBack(steps.map((step) => first + step * unit)),
    ),
  )
})

test('bits of all widths are restored, even across words', () => {
  const pieces = fc
    .integer({ min: 1, max: 53 })
    .chain((width) => fc.tuple(fc.constant(width), fc.maxSafeInteger()))
    .map(([width, value]) => [width, Math.abs(value) % 2 ** width] as const)
  fc.assert(
    fc.property(fc.array(pieces), fc.array(fc.nat(100)), (bits, ones) => {
      const out = new BitWriter(1)
      for (const [width, value] of bits) out.bits(value, width)
      for (const count of ones) out.unary(count)
      out.align()
      for (const [, value] of bits) out.varint(value)
      const from = new BitReader(out.toBytes())
      for (const [width, value] of bits) expect(from.bits(width)).toBe(value)
      for (const count of ones) expect(from.unary()).toBe(count)
      from.align()
      for (const [, value] of bits) expect(from.varint()).toBe(value)
    }),
  )
})

test('points are restored with gaps, start times and histograms', () => {
  const histogram = fc
    .array(fc.nat(10_000), { minLength: 3, maxLength: 3 })
    .chain((counts) => fc.tuple(fc.constant(counts), numbers, numbers))
    .map(([counts, min, max]) => ({
      bins: [0, 10, 100],
      counts,
      min,
      max,
      sumOfSamples: max,
      squaredMean: min,
    }))
  const points = fc.oneof(
    fc.array(fc.tuple(fc.nat(), fc.option(numbers, { nil: Number.NaN }))).map((rows): Points => ({
      timestamps: rows.map(([time]) => time),
      startTimes: undefined,
      numbers: rows.map(([, value]) => value),
      histograms: undefined,
    })),
    fc
      .array(fc.tuple(fc.nat(), fc.constantFrom(1, 2, 3), fc.option(histogram)))
      .map((rows): Points => ({
        timestamps: rows.map(([time]) => time),
        startTimes: rows.map(([, start]) => start),
        numbers: undefined,
        histograms: rows.map(([, , value]) => value),
      })),
  )
  fc.assert(
    fc.property(points, (given) => void expect(decodePoints(encodePoints(given))).toEqual(given)),
  )
})

test('truncated bytes have an error of their own', () => {
  const bytes = encodePoints({
    timestamps: [5, 10, 15, 21, 25],
    startTimes: [1, 1, 1, 20, 20],
    numbers: [3, 4.5, Number.NaN, 1e300, 7],
    histograms: undefined,
  })
  for (let length = 0; length < bytes.length; length++) {
    expect(() => decodePoints(bytes.subarray(0, length))).toThrow(BadBytes)
  }
})

test('regular counters and measurements take few bytes', () => {
  const length = 512
  const counts = (each: (index: number) => number) => Array.from({ length }, (_, i) => each(i))
  const perSample = (values: number[]) => bytesOf(values).length / length
  expect(perSample(counts((index) => 1_700_000_000_000 + index * 5_000))).toBeLessThan(0.1)
  expect(
    perSample(counts((index) => 1_700_000_000_000 + index * 5_000 + (index % 7))),
  ).toBeLessThan(1)
  expect(perSample(counts((index) => index * 4096 + (index % 3) * 512))).toBeLessThan(0.7)
  expect(perSample(counts((index) => Math.fround(40 + (index % 30) / 10)))).toBeLessThan(1)
  expect(perSample(counts((index) => index >> 4))).toBeLessThan(0.3)
})
