/**
 * Lossless compression of a column of numbers. Numbers that become integers by a power of ten are
 * stored as such, as differences, or as differences of differences; others by the bits that differ
 * from the previous one.
 */
import { BadBytes, type BitReader, type BitWriter } from './bits.ts'

/** Encoding of a column; its first byte. Stored on disk, so numbers must not be reused. */
const EMPTY = 0
/** All numbers are equal. */
const CONSTANT = 1
/** Run-length encoding. */
const RUNS = 2
/** Integers: differences from the minimum, from the previous one, or between these differences. */
const WHOLE = 3
const DELTA = 4
const DELTA_OF_DELTA = 5
/** Bits in which a number differs from the previous one. */
const XOR = 6

/** Residuals with a common width. */
const BLOCK = 64
const WIDTH_BITS = 6
/** Width of a block of zeros, which takes no bits. */
const ALL_ZERO = 63
/** A longer run of ones marks a number written in full. */
const ESCAPE = 20
const FULL_BITS = 53
/** Upper bound of residuals, so that twice their value is exact. */
const RESIDUAL_LIMIT = 2 ** 52
const MAX_DECIMALS = 9
const FLOAT32 = 0x40

const powers = Array.from({ length: MAX_DECIMALS + 1 }, (_, power) => 10 ** power)

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)
const [LOW, HIGH] = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? [0, 1] : [1, 0]

function writeDouble(out: BitWriter, value: number): void {
  double[0] = value
  out.bits(words[HIGH]!, 32)
  out.bits(words[LOW]!, 32)
}

function readDouble(from: BitReader): number {
  words[HIGH] = from.bits(32)
  words[LOW] = from.bits(32)
  return double[0]!
}

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)
const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2)

/** Bits of a nonnegative integer. */
const bitLength = (value: number): number =>
  value < 2 ** 32 ? 32 - Math.clz32(value) : 64 - Math.clz32(value / 2 ** 32)

/** Appends an integer of up to 53 bits with a sign. */
function writeSigned(out: BitWriter, value: number): void {
  out.byte(value < 0 ? 1 : 0)
  out.varint(Math.abs(value))
}

function readSigned(from: BitReader): number {
  const negative = from.byte() === 1
  const size = from.varint()
  return negative ? -size : size
}

const same = Object.is

/** Conversion of numbers to integers and back. */
interface Scale {
  decimals: number
  /** Whether the quotient is rounded to 32 bits. */
  single: boolean
}

const unscaled = (value: number, factor: number, single: boolean): number =>
  single ? Math.fround(value / factor) : value / factor

function wholeAt(value: number, factor: number, single: boolean): boolean {
  const whole = Math.round(value * factor)
  return (
    whole <= Number.MAX_SAFE_INTEGER &&
    whole >= -Number.MAX_SAFE_INTEGER &&
    same(unscaled(whole + 0, factor, single), value)
  )
}

/** The smallest scale that reproduces all numbers exactly; undefined if there is none. */
function scaleOf(values: readonly number[]): Scale | undefined {
  const single = values.every((value) => same(Math.fround(value), value))
  for (const rounded of single ? [false, true] : [false]) {
    let decimals = 0
    for (const value of values) {
      while (decimals <= MAX_DECIMALS && !wholeAt(value, powers[decimals]!, rounded)) decimals++
      if (decimals > MAX_DECIMALS) break
    }
    // A number that is an integer with few decimals need not be one with more.
    if (
      decimals <= MAX_DECIMALS &&
      values.every((value) => wholeAt(value, powers[decimals]!, rounded))
    ) {
      return { decimals, single: rounded }
    }
  }
  return undefined
}

/** Bits of a block with a given width. */
function costOf(residuals: readonly number[], begin: number, end: number, width: number): number {
  const unit = 2 ** width
  let bits = 0
  for (let index = begin; index < end; index++) {
    const ones = Math.floor(residuals[index]! / unit)
    bits += ones < ESCAPE ? ones + 1 + width : ESCAPE + 1 + FULL_BITS
  }
  return bits
}

function widthOf(residuals: readonly number[], begin: number, end: number): number {
  let sum = 0
  let most = 0
  for (let index = begin; index < end; index++) {
    const residual = residuals[index]!
    sum += residual
    if (residual > most) most = residual
  }
  if (most === 0) return ALL_ZERO
  // One large residual, such as that of a restarted counter, must not dominate the others.
  const typical = (sum - most) / Math.max(1, end - begin - 1)
  const guesses = new Set<number>()
  for (const mean of [typical, sum / (end - begin)]) {
    const width = Math.max(0, bitLength(Math.floor(mean)) - 1)
    guesses.add(width)
    guesses.add(Math.min(width + 1, FULL_BITS - 1))
  }
  let best = 0
  let least = Infinity
  for (const width of guesses) {
    const cost = costOf(residuals, begin, end, width)
    if (cost < least) [best, least] = [width, cost]
  }
  return best
}

/**
 * Writes nonnegative residuals in blocks of a common width: a quotient in unary, and the remainder
 * in bits.
 */
function writeResiduals(out: BitWriter, residuals: readonly number[]): void {
  for (let begin = 0; begin < residuals.length; begin += BLOCK) {
    const end = Math.min(begin + BLOCK, residuals.length)
    const width = widthOf(residuals, begin, end)
    out.bits(width, WIDTH_BITS)
    if (width === ALL_ZERO) continue
    const unit = 2 ** width
    for (let index = begin; index < end; index++) {
      const residual = residuals[index]!
      const ones = Math.floor(residual / unit)
      if (ones < ESCAPE) {
        out.unary(ones)
        out.bits(residual - ones * unit, width)
      } else {
        out.unary(ESCAPE)
        out.bits(residual, FULL_BITS)
      }
    }
  }
}

function readResiduals(from: BitReader, count: number): number[] {
  const residuals: number[] = []
  while (residuals.length < count) {
    const end = Math.min(residuals.length + BLOCK, count)
    const width = from.bits(WIDTH_BITS)
    const unit = 2 ** width
    while (residuals.length < end) {
      if (width === ALL_ZERO) {
        residuals.push(0)
        continue
      }
      const ones = from.unary()
      residuals.push(ones < ESCAPE ? ones * unit + from.bits(width) : from.bits(FULL_BITS))
    }
  }
  return residuals
}

/** Approximate bits of residuals; infinite if one is too large. */
function estimate(residuals: readonly number[]): number {
  let bits = 0
  for (const residual of residuals) {
    if (residual >= 2 * RESIDUAL_LIMIT) return Infinity
    bits += bitLength(residual)
  }
  return bits
}

function differences(values: readonly number[]): number[] {
  const result: number[] = []
  for (let index = 1; index < values.length; index++) {
    result.push(values[index]! - values[index - 1]!)
  }
  return result
}

/** Greatest common divisor, or 1. */
function commonUnit(values: readonly number[]): number {
  let unit = 0
  for (const value of values) {
    let rest = Math.abs(value)
    while (rest > 0) [unit, rest] = [rest, unit % rest]
    if (unit === 1) return 1
  }
  return unit || 1
}

/** @returns false if the numbers do not fit the integer encodings */
function writeWhole(
  out: BitWriter,
  values: readonly number[],
  { decimals, single }: Scale,
): boolean {
  const factor = powers[decimals]!
  const whole = values.map((value) => Math.round(value * factor) + 0)
  const exact = differences(whole)
  // Differences of large numbers with opposite signs are not exact.
  if (exact.some((delta) => Math.abs(delta) >= RESIDUAL_LIMIT)) return false
  const unit = commonUnit(exact)
  const deltas = unit === 1 ? exact : exact.map((delta) => delta / unit)
  let least = whole[0]!
  let most = least
  for (const value of whole) {
    if (value < least) least = value
    if (value > most) most = value
  }
  const plain = whole.map((value) => (value - least) / unit)
  const delta = deltas.map(zigzag)
  const ofDelta = differences(deltas).map(zigzag)
  // Encodings with differences store their first numbers separately.
  const ways = [
    {
      kind: WHOLE,
      residuals: plain,
      first: [least],
      bits: most - least < 2 * RESIDUAL_LIMIT ? estimate(plain) : Infinity,
    },
    { kind: DELTA, residuals: delta, first: [whole[0]!], bits: estimate(delta) },
    {
      kind: DELTA_OF_DELTA,
      residuals: ofDelta,
      first: [whole[0]!, deltas[0]!],
      bits: estimate(ofDelta),
    },
  ]
  const { kind, first, residuals } = ways.reduce((a, b) => (b.bits < a.bits ? b : a))
  out.byte(kind)
  out.byte(decimals | (single ? FLOAT32 : 0))
  out.varint(unit)
  for (const value of first) writeSigned(out, value)
  writeResiduals(out, residuals)
  out.align()
  return true
}

function readWhole(from: BitReader, kind: number, count: number): number[] {
  const scale = from.byte()
  const decimals = scale & ~FLOAT32
  if (decimals > MAX_DECIMALS) throw new BadBytes('a column has an unknown scale')
  const factor = powers[decimals]!
  const single = (scale & FLOAT32) !== 0
  const unit = from.varint()
  const first = readSigned(from)
  let delta = kind === DELTA_OF_DELTA ? readSigned(from) : 0
  const missing = kind === WHOLE ? 0 : kind === DELTA ? 1 : 2
  const values = readResiduals(from, Math.max(0, count - missing))
  from.align()
  if (kind === WHOLE) {
    for (let index = 0; index < count; index++) values[index] = values[index]! * unit + first
  } else {
    let value = first
    const residuals = values.slice()
    values[0] = value
    for (let index = 1; index < count; index++) {
      if (kind === DELTA) delta = unzigzag(residuals[index - 1]!)
      else if (index > 1) delta += unzigzag(residuals[index - 2]!)
      value += delta * unit
      values[index] = value
    }
  }
  if (decimals > 0 || single) {
    for (let index = 0; index < count; index++) {
      values[index] = unscaled(values[index]!, factor, single)
    }
  }
  return values
}

/** Bits for the number of leading zeros, and for the length of the span minus one. */
const LEAD_BITS = 6
const SPAN_BITS = 6

function writeXor(out: BitWriter, values: readonly number[]): void {
  out.byte(XOR)
  writeDouble(out, values[0]!)
  double[0] = values[0]!
  let high = words[HIGH]!
  let low = words[LOW]!
  let lead = -1
  let span = 0
  for (let index = 1; index < values.length; index++) {
    double[0] = values[index]!
    const highBits = words[HIGH]! ^ high
    const lowBits = words[LOW]! ^ low
    high = words[HIGH]!
    low = words[LOW]!
    if (highBits === 0 && lowBits === 0) {
      out.bits(0, 1)
      continue
    }
    const leading = highBits === 0 ? 32 + Math.clz32(lowBits) : Math.clz32(highBits)
    const trailing = lowBits === 0 ? 32 + trailingZeros(highBits) : trailingZeros(lowBits)
    const fits = lead >= 0 && leading >= lead && trailing >= 64 - lead - span
    if (fits && span <= 64 - leading - trailing + LEAD_BITS + SPAN_BITS) {
      out.bits(0b10, 2)
    } else {
      lead = leading
      span = 64 - leading - trailing
      out.bits(0b11, 2)
      out.bits(lead, LEAD_BITS)
      out.bits(span - 1, SPAN_BITS)
    }
    // Splits the span of the 64 bits into both words.
    const below = 64 - lead - span
    const inHigh = Math.max(0, Math.min(32, 32 - lead) - Math.max(0, below - 32))
    if (inHigh > 0) {
      const down = Math.max(0, below - 32)
      out.bits(keep(highBits >>> down, inHigh), inHigh)
    }
    if (span > inHigh) out.bits(keep(lowBits >>> below, span - inHigh), span - inHigh)
  }
  out.align()
}

const keep = (bits: number, count: number): number =>
  count === 32 ? bits >>> 0 : (bits & ((1 << count) - 1)) >>> 0

const trailingZeros = (bits: number): number => 31 - Math.clz32(bits & -bits)

function readXor(from: BitReader, count: number): number[] {
  const values = [readDouble(from)]
  let high = words[HIGH]!
  let low = words[LOW]!
  let lead = 0
  let span = 0
  while (values.length < count) {
    if (from.bits(1) === 1) {
      if (from.bits(1) === 1) {
        lead = from.bits(LEAD_BITS)
        span = from.bits(SPAN_BITS) + 1
        if (lead + span > 64) throw new BadBytes('a column of doubles is damaged')
      }
      const below = 64 - lead - span
      const inHigh = Math.max(0, Math.min(32, 32 - lead) - Math.max(0, below - 32))
      if (inHigh > 0) high ^= from.bits(inHigh) << Math.max(0, below - 32)
      if (span > inHigh) low ^= from.bits(span - inHigh) << below
    }
    words[HIGH] = high
    words[LOW] = low
    values.push(double[0]!)
  }
  from.align()
  return values
}

/** Run-length encoding, up to a number of runs. */
function runsOf(values: readonly number[], most: number): [number, number][] | undefined {
  const runs: [number, number][] = []
  for (const value of values) {
    const last = runs.at(-1)
    if (last && same(last[0], value)) last[1]++
    else if (runs.length === most) return undefined
    else runs.push([value, 1])
  }
  return runs
}

/** Appends numbers; the caller has to know their count. Leaves the writer aligned. */
export function writeColumn(out: BitWriter, values: readonly number[]): void {
  if (values.length === 0) {
    out.byte(EMPTY)
    return
  }
  const runs = runsOf(values, 1 + (values.length >> 6))
  if (runs?.length === 1) {
    out.byte(CONSTANT)
    writeDouble(out, values[0]!)
    return
  }
  if (runs) {
    out.byte(RUNS)
    for (const [value, times] of runs) {
      writeDouble(out, value)
      out.varint(times)
    }
    return
  }
  const scale = scaleOf(values)
  if (!scale || !writeWhole(out, values, scale)) writeXor(out, values)
}

/** @throws BadBytes if the column is malformed */
export function readColumn(from: BitReader, count: number): number[] {
  const kind = from.byte()
  switch (kind) {
    case EMPTY:
      if (count === 0) return []
      break
    case CONSTANT:
      return Array.from<number>({ length: count }).fill(readDouble(from))
    case RUNS: {
      const values: number[] = []
      while (values.length < count) {
        const value = readDouble(from)
        const times = from.varint()
        if (times > count - values.length) throw new BadBytes('a column is too long')
        for (let index = 0; index < times; index++) values.push(value)
      }
      return values
    }
    case WHOLE:
    case DELTA:
    case DELTA_OF_DELTA:
      return readWhole(from, kind, count)
    case XOR:
      return readXor(from, count)
  }
  throw new BadBytes('a column of an unknown kind')
}
