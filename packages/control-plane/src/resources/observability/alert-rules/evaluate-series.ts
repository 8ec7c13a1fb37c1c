/**
 * Evaluates the points of a series for a rule. The state follows only from the points and the time
 * since the last one, so it does not depend on how often a rule is evaluated, and points that a
 * server missed while it was away are evaluated afterwards.
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
export interface SeriesStatus {
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
export const initialStatus = (at: number): SeriesStatus => ({
  state: 'ok',
  since: at,
  fired: null,
  value: null,
  seen: at,
})

/**
 * Evaluates the points of a series that are later than the last one evaluated.
 * @param before undefined for an unknown series
 * @param points ascending; NaN is a missing value
 * @param now the time up to which a series without further points is evaluated
 * @returns undefined as its state if the series is still unknown
 */
export function evaluateSeries(
  condition: Condition,
  before: SeriesStatus | undefined,
  points: { timestamps: ArrayLike<number>; values: ArrayLike<number> },
  now: number,
): { after: SeriesStatus | undefined; changes: Change[] } {
  const { comparison, threshold, duration, stale } = condition
  const changes: Change[] = []
  let status: SeriesStatus | undefined = before && { ...before }

  const fire = (status: SeriesStatus, at: number) => {
    status.state = 'firing'
    status.fired = at
    changes.push({ kind: 'fired', at, since: status.since, value: status.value })
  }
  const leave = (status: SeriesStatus, state: SeriesState, since: number, resolved?: Change) => {
    if (status.state === 'firing' && resolved) changes.push(resolved)
    status.state = state
    status.since = since
    status.fired = null
  }
  /** Evaluates a gap without points up to a moment. */
  const lapse = (status: SeriesStatus, to: number) => {
    const gap = to - status.seen
    if (comparison === 'no_data') {
      if (status.state === 'ok' && gap > MISSING_MS) leave(status, 'pending', status.seen)
      if (status.state === 'pending' && gap >= duration) {
        status.value = null
        fire(status, status.seen + duration)
      }
    } else if (gap > stale && status.state !== 'no_data') {
      const at = status.seen + stale
      leave(status, 'no_data', status.seen, { kind: 'resolved', at, resolution: 'no_data' })
    }
  }
  const take = (status: SeriesStatus, at: number, value: number) => {
    status.seen = at
    status.value = value
    const passes = comparison === 'above' ? value > threshold : value < threshold
    if (comparison === 'no_data' || !passes) {
      if (status.state !== 'ok')
        leave(status, 'ok', at, { kind: 'resolved', at, resolution: 'passed' })
      return
    }
    if (status.state === 'ok' || status.state === 'no_data') leave(status, 'pending', at)
    if (status.state === 'pending' && at - status.since >= duration) fire(status, at)
  }

  for (let index = 0; index < points.timestamps.length; index++) {
    const at = points.timestamps[index]!
    const value = points.values[index]!
    if (Number.isNaN(value) || (status && at <= status.seen)) continue
    if (status) lapse(status, at)
    else status = initialStatus(at)
    take(status, at, value)
  }
  if (status) lapse(status, now)
  return { after: status, changes }
}
