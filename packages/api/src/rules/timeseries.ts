/** What a query of time series may take, and why it is not answered. */
import type { InstanceState } from './instances.ts'

/** Milliseconds that a query may take. */
export const QUERY_TIME_MAX = 30_000
/** Queries that a server evaluates at a time; others wait for their turn. */
export const QUERIES_AT_ONCE = 4

/**
 * Points that are later than the clock by more than this were measured while it was ahead, or it is
 * behind now. Milliseconds.
 */
export const AHEAD_MS = 60_000
/** Milliseconds for which points of the future are kept, unless their time comes earlier. */
export const AHEAD_KEPT_MS = 7 * 24 * 60 * 60_000

export const timeseriesMessages = {
  noStore: 'This server keeps no time series',
  tookTooLong: `Queries must not take longer than ${QUERY_TIME_MAX / 1000} seconds`,
} as const

/** Why an instance cannot be put under load; undefined if it can. */
export const instanceLoadProblem = (state: InstanceState): string | undefined =>
  state === 'running' ? undefined : 'Only instances that are running can be put under load'
