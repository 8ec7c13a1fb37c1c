/**
 * The port for the store of time series. Its implementations hold what was measured; which schemas
 * there are is the contract's to know, and what a query means is `packages/oxql`'s.
 */
import type { Sample, Selection, Series } from '@steading/oxql'
import type { Pace } from './block-store.ts'

export interface TimeSeriesStore {
  /**
   * Takes samples in. They can be read as soon as the promise resolves, and survive a crash of the
   * server within a second. A sample that is not later than the last of its series is dropped, and
   * counted in `status`, since collectors may send one twice. Points that are later than the clock by
   * more than `AHEAD_MS` do not count: they are set aside, and not read.
   *
   * @throws TimeSeriesUnavailable if none of them could be taken in
   */
  append: (samples: readonly Sample[]) => Promise<void>
  /**
   * All series that have points in the selection, in any order, with the points as they were
   * appended (or as downsampling left them).
   *
   * @param signal ends the reading early, by throwing its reason
   * @throws TooManyPoints if there are more than `maxPoints`
   * @throws TimeSeriesUnavailable if the store cannot be reached
   */
  read: (selection: Selection, maxPoints: number, signal?: AbortSignal) => Promise<Series[]>
  /** Whether another server has the store to itself, so that only that one can use it. */
  isElsewhere: () => Promise<boolean>
  /**
   * Reads everything that is stored and compares it with its checksums. A store whose files are not
   * the host's has none.
   * @param pace is waited for after each piece, with its bytes; it may throw to end the check
   * @returns the names of damaged files
   */
  check?: (pace: Pace) => Promise<string[]>
  status: () => Promise<TimeSeriesStatus>
}

export interface TimeSeriesStatus {
  series: number
  /** Samples taken in since the server began, and those among them that were dropped. */
  appended: number
  dropped: number
  /** Bytes on disk, if the store knows. */
  bytes?: number
  /** What holds points of the future that were set aside, in parts of the store, and since when. */
  ahead?: { count: number; since: number }
  /** Why samples cannot be stored at present. */
  problem?: string
}

/** What a store logs when it sets points of the future aside. @param since by the present clock */
export const aheadMessage = (since: number): string =>
  `time series that are later than the clock (${new Date(since).toISOString()}) are set aside: it was ahead when they were measured, or is behind now`

/** The store cannot do its work at present. The message says why, as in `problem`. */
export class TimeSeriesUnavailable extends Error {
  override name = 'TimeSeriesUnavailable'
}
