/**
 * Forecasts when a growing resource runs out. The trend is the median of the slopes between any two
 * days (Theil and Sen), so that a few unusual days do not change it. The uncertainty comes from
 * reordering the changes from day to day and adding them up again. They are moved in blocks,
 * because capacity taken on one day is often given back on the next (moving block bootstrap).
 */
import { FORECAST_LEAST_DAYS, type ForecastOutlook } from '@steading/api/rules'

export interface Day {
  /** The number of the day. */
  day: number
  used: number
}

export interface Outlook {
  outlook: ForecastOutlook
  /** Numbers of days, with fractions of a day; the latest is undefined if it may never happen. */
  runsOut: { earliest: number; likely: number; latest: number | undefined } | undefined
}

const RESAMPLES = 1000
/** The part left out of the interval at either end. */
const TAIL = 0.1
/** Later dates are not reported. */
const FAR_DAYS = 3650

const quantile = (sorted: Float64Array, q: number): number => {
  const at = (sorted.length - 1) * q
  const [low, high] = [Math.floor(at), Math.ceil(at)]
  return sorted[low]! + (sorted[high]! - sorted[low]!) * (at - low)
}
const median = (values: Float64Array): number => quantile(values.sort(), 0.5)

/** The median of all slopes; the days must differ. */
function slopeOf(days: Float64Array, used: Float64Array): number {
  const slopes = new Float64Array((days.length * (days.length - 1)) / 2)
  let count = 0
  for (let i = 0; i < days.length; i++) {
    for (let j = i + 1; j < days.length; j++) {
      slopes[count++] = (used[j]! - used[i]!) / (days[j]! - days[i]!)
    }
  }
  return median(slopes)
}

/**
 * Pseudorandom numbers from 0 to 1, the same at each call, so that the same history has one answer.
 */
function createRandom(): () => number {
  let state = 0
  return () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The sorted slopes that other orders of the same daily changes would have led to. */
function likelySlopes(days: Float64Array, used: Float64Array, slope: number): Float64Array {
  const changes = used.subarray(1).map((value, i) => value - used[i]!)
  const count = changes.length
  const span = days.at(-1)! - days[0]!
  const mean = (used.at(-1)! - used[0]!) / span
  const block = Math.round(Math.sqrt(count))
  const random = createRandom()
  const slopes = new Float64Array(RESAMPLES)
  for (let n = 0; n < RESAMPLES; n++) {
    let sum = 0
    let from = 0
    for (let i = 0; i < count; i++) {
      if (i % block === 0) from = Math.floor(random() * count)
      sum += changes[(from + (i % block)) % count]!
    }
    slopes[n] = slope + sum / span - mean
  }
  return slopes.sort()
}

/**
 * The growth of something per day, if there is enough history.
 * @param history the oldest day first
 */
export function paceOf(history: readonly Day[]): number | undefined {
  const first = history[0]
  const last = history.at(-1)
  if (!first || !last || last.day - first.day < FORECAST_LEAST_DAYS) return undefined
  return slopeOf(...columns(history))
}

const columns = (history: readonly Day[]) =>
  [
    Float64Array.from(history, ({ day }) => day),
    Float64Array.from(history, ({ used }) => used),
  ] as const

/**
 * When a capacity will be used up.
 * @param history the oldest day first; the last one is the present day
 * @param used at present
 */
export function forecast(history: readonly Day[], used: number, capacity: number): Outlook {
  const is = (outlook: ForecastOutlook): Outlook => ({ outlook, runsOut: undefined })
  if (used >= capacity) return is('full')
  const slope = paceOf(history)
  if (slope === undefined) return is('too_little_history')
  // A smaller slope may be a rounding error.
  if (slope <= capacity * 1e-12) return is('not_growing')
  const slopes = likelySlopes(...columns(history), slope)
  const today = history.at(-1)!.day
  const after = (pace: number) => (pace > 0 ? (capacity - used) / pace : Infinity)
  const likely = after(slope)
  const earliest = Math.min(likely, after(quantile(slopes, 1 - TAIL)))
  const latest = Math.max(likely, after(quantile(slopes, TAIL)))
  if (likely > FAR_DAYS) return is('growing')
  return {
    outlook: 'growing',
    runsOut: {
      earliest: today + earliest,
      likely: today + likely,
      latest: latest > FAR_DAYS ? undefined : today + latest,
    },
  }
}
