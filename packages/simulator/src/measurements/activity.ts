/**
 * The activity of something as a function of its seed and the time: daily and weekly cycles,
 * bursts, and noise. Its integral has a closed form, so the value of a counter at any time can be
 * computed directly.
 */
import { between, seedOf, unit } from './random.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WEEK = 7 * DAY
/** Lower limit of integrals, so that they stay small; a Thursday at midnight. */
const EPOCH = Date.UTC(2026, 0, 1)

/** A busy share at each time. */
export interface Activity {
  /** Busy milliseconds between two times; at most as many as have passed. */
  busy: (from: number, to: number) => number
}

/** A cycle around its mean, with values from 0 to 1. */
const cycle = (length: number, peak: number) => (time: number) =>
  time / 2 + (length / (4 * Math.PI)) * Math.sin((2 * Math.PI * (time - peak)) / length)

/**
 * One burst per period, of varying position and height. All take the same amount of work, so the
 * sum of past bursts is known.
 */
const bursts = (seed: number, period: number, shortest: number, longest: number) => {
  return (time: number) => {
    const n = Math.floor(time / period)
    const length = between(seed, 2 * n, shortest, longest)
    const begin = unit(seed, 2 * n + 1) * (period - length)
    const share = Math.min(1, Math.max(0, (time - n * period - begin) / length))
    return shortest * (n + share)
  }
}

/** Noise from 0 to 1: linear interpolation between random points, one per period. */
const noise = (seed: number, period: number) => (time: number) => {
  const place = time / period
  const n = Math.floor(place)
  const from = unit(seed, n)
  const height = from + (unit(seed, n + 1) - from) * (place - n)
  return (time + period * height) / 2
}

/** Maximum share of the time for all activities in total. */
const MOST = 0.94

/** The activity of an independent subject. */
export function activityOf(name: string): Activity {
  const seed = seedOf(name)
  const scale = MOST * between(seed, 1, 0.2, 1)
  const afternoon = between(seed, 2, 12, 17) * HOUR
  const idle = scale * between(seed, 3, 0.02, 0.1)
  // The shares add up to at most one.
  const parts = [
    { share: between(seed, 4, 0.06, 0.28), integral: cycle(DAY, afternoon) },
    // Lowest on Sundays.
    { share: between(seed, 5, 0.02, 0.08), integral: cycle(WEEK, 6.5 * DAY) },
    {
      share: between(seed, 6, 0.05, 0.22),
      integral: bursts(seed + 1, 187 * MINUTE, 4 * MINUTE, 25 * MINUTE),
    },
    {
      share: between(seed, 7, 0, 0.14),
      integral: bursts(seed + 2, 13 * HOUR, 20 * MINUTE, 90 * MINUTE),
    },
    { share: 0.07, integral: noise(seed + 3, 20_000) },
    { share: 0.06, integral: noise(seed + 4, 2 * MINUTE) },
    { share: 0.05, integral: noise(seed + 5, 11 * MINUTE) },
  ]
  const integral = (time: number) => {
    const passed = time - EPOCH
    let sum = idle * passed
    for (const part of parts) sum += scale * part.share * part.integral(passed)
    return sum
  }
  let last = { time: Number.NaN, value: 0 }
  const remembered = (time: number) => {
    if (last.time !== time) last = { time, value: integral(time) }
    return last.value
  }
  let origin = { time: Number.NaN, value: 0 }
  return {
    busy(from, to) {
      // Counters repeatedly ask for the time since the same start.
      if (origin.time !== from) origin = { time: from, value: integral(from) }
      return remembered(to) - origin.value
    },
  }
}

/** Weighted sum of activities. */
export const mixed = (...parts: readonly [share: number, activity: Activity][]): Activity => ({
  busy: (from, to) => parts.reduce((sum, [share, { busy }]) => sum + share * busy(from, to), 0),
})

/** Injected load from some time on, as a share of the idle time. */
export interface Load {
  level: number
  from: number
  /** Undefined while it lasts. */
  to: number | undefined
}

/** An activity with injected loads, which must not overlap. */
export const loaded = ({ busy }: Activity, loads: readonly Load[]): Activity => ({
  busy: (from, to) =>
    loads.reduce(
      (sum, load) => {
        const begin = Math.max(from, load.from)
        const end = Math.min(to, load.to ?? to)
        return end > begin ? sum + load.level * (end - begin - busy(begin, end)) : sum
      },
      busy(from, to),
    ),
})
