/**
 * Judges the points of a series for a rule. The state follows only from the points and the time
 * since the last one, so it does not depend on how often a rule is evaluated, and points that a
 * server missed while it was away are judged afterwards.
 */
import type { AlertComparison, Resolution, SeriesState } from '@steading/api/rules'
import { STALE_MS } from '@steading/api/rules'

/** All times are milliseconds since the epoch. */
export interface Condition {
  comparison: AlertComparison
  /** NaN for missing values. */
  threshold: number
  /** Milliseconds. */
  duration: number
  /** Milliseconds without points after which a series has no data. */
  stale: number
}

/** The state of a series in a rule. */
export interface Judgement {
  state: SeriesState
  /**
   * When the threshold was first passed; for `no_data`, the last point; for `ok`, when it became
   * so.
   */
  since: number
  /** When it began to fire; null unless it is firing. */
  fired: number | null
  /** The last value; null if there was none. */
  value: number | null
  /** The time of the last point, or else the time from which values were expected. */
  seen: number
}

/** The beginning or the end of a firing. */
export type Change =
  | { kind: 'fired'; at: number; since: number; value: number | null }
  | { kind: 'resolved'; at: number; resolution: Resolution }

/** Milliseconds without points after which a rule about missing values is pending. */
const MISSING_MS = 60_000

/** The longest gap between points that does not count as a lack of data. */
export const staleAfter = (longestPeriod: number): number => Math.max(STALE_MS, 2 * longestPeriod)

/** The initial state of a series watched from a moment on. */
export const newlyWatched = (at: number): Judgement => ({
  state: 'ok',
  since: at,
  fired: null,
  value: null,
  seen: at,
})

/**
 * Judges the points of a series that are later than the last one judged.
 * @param before undefined for an unknown series
 * @param points ascending; NaN is a missing value
 * @param now the time up to which a series without further points is judged
 * @returns undefined as its state if the series is still unknown
 */
export function judge(
  condition: Condition,
  before: Judgement | undefined,
  points: { timestamps: ArrayLike<number>; values: ArrayLike<number> },
  now: number,
): { after: Judgement | undefined; changes: Change[] } {
  const { comparison, threshold, duration, stale } = condition
  const changes: Change[] = []
  let its: Judgement | undefined = before && { ...before }

  const fire = (its: Judgement, at: number) => {
    its.state = 'firing'
    its.fired = at
    changes.push({ kind: 'fired', at, since: its.since, value: its.value })
  }
  const leave = (its: Judgement, state: SeriesState, since: number, resolved?: Change) => {
    if (its.state === 'firing' && resolved) changes.push(resolved)
    its.state = state
    its.since = since
    its.fired = null
  }
  /** Judges a gap without points up to a moment. */
  const lapse = (its: Judgement, to: number) => {
    const gap = to - its.seen
    if (comparison === 'no_data') {
      if (its.state === 'ok' && gap > MISSING_MS) leave(its, 'pending', its.seen)
      if (its.state === 'pending' && gap >= duration) {
        its.value = null
        fire(its, its.seen + duration)
      }
    } else if (gap > stale && its.state !== 'no_data') {
      const at = its.seen + stale
      leave(its, 'no_data', its.seen, { kind: 'resolved', at, resolution: 'no_data' })
    }
  }
  const take = (its: Judgement, at: number, value: number) => {
    its.seen = at
    its.value = value
    const passes = comparison === 'above' ? value > threshold : value < threshold
    if (comparison === 'no_data' || !passes) {
      if (its.state !== 'ok') leave(its, 'ok', at, { kind: 'resolved', at, resolution: 'passed' })
      return
    }
    if (its.state === 'ok' || its.state === 'no_data') leave(its, 'pending', at)
    if (its.state === 'pending' && at - its.since >= duration) fire(its, at)
  }

  for (let index = 0; index < points.timestamps.length; index++) {
    const at = points.timestamps[index]!
    const value = points.values[index]!
    if (Number.isNaN(value) || (its && at <= its.seen)) continue
    if (its) lapse(its, at)
    else its = newlyWatched(at)
    take(its, at, value)
  }
  if (its) lapse(its, now)
  return { after: its, changes }
}
