/**
 * The port for the store of time series. Its implementations hold the measurements; the contract
 * defines the schemas, and `packages/oxql` the meaning of a query.
 */
import type { Sample, Selection, Series } from '@steading/oxql'
import type { Throttle } from './block-store.ts'

export interface TimeSeriesStore {
  /**
   * Stores samples. They can be read as soon as the promise resolves, and survive a crash of the
   * server after a second at most. A sample that is not later than the last one of its series is
   * dropped, and counted in `status`, since collectors may send one twice. Points later than the
   * clock by more than `AHEAD_MS` are set aside, and not read.
   *
   * @throws TimeSeriesUnavailable if no sample could be stored
   */
  append: (samples: readonly Sample[]) => Promise<void>
  /**
   * All series with points in the selection, in any order, with the points as they were appended
   * (or as downsampling left them).
   *
   * @param signal ends the reading early, by throwing its reason
   * @throws TooManyPoints if there are more than `maxPoints`
   * @throws TimeSeriesUnavailable if the store cannot be reached
   */
  read: (selection: Selection, maxPoints: number, signal?: AbortSignal) => Promise<Series[]>
  /** Whether another server uses the store exclusively. */
  isElsewhere: () => Promise<boolean>
  /**
   * Reads everything that is stored and compares it with its checksums. Missing for a store whose
   * files do not belong to the host.
   * @param throttle awaited after each piece, with the number of its bytes; it may throw to end the
   *   check
   * @returns the names of damaged files
   */
  check?: (throttle: Throttle) => Promise<string[]>
  status: () => Promise<TimeSeriesStatus>
}

export interface TimeSeriesStatus {
  series: number
  /** Samples received since the server began, and those among them that were dropped. */
  appended: number
  dropped: number
  /** Bytes on disk, if the store knows. */
  bytes?: number
  /**
   * The parts of the store with points of the future that were set aside, and the time since when.
   */
  ahead?: { count: number; since: number }
  /** Why samples cannot be stored at present. */
  problem?: string
}

/**
 * Log message of a store that sets points of the future aside.
 * @param since by the present clock
 */
export const aheadMessage = (since: number): string =>
  `time series that are later than the clock (${new Date(since).toISOString()}) are set aside: it was ahead when they were measured, or is behind now`

/** The store does not work at present. The message says why, as in `problem`. */
export class TimeSeriesUnavailable extends Error {
  override name = 'TimeSeriesUnavailable'
}
