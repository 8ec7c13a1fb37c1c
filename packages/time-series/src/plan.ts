/** Plans the work on segments: expiry, downsampling, and merging. */
import { AHEAD_KEPT_MS } from '@steading/api/rules'
import type { SegmentFacts } from './segment.ts'

const DAY = 24 * 60 * 60_000
/** Maximum number of segments to merge, which bounds the memory of their tables. */
const MOST_AT_ONCE = 16
/** Number of segments of one size to merge into the next size. */
const STEP = 4
const SMALLEST_POINTS = 250_000

export interface Retention {
  /** Milliseconds that original points are kept. */
  rawMs: number
  /** Milliseconds that any points are kept. */
  keepMs: number
  /** Interval of older points in milliseconds; one point is kept in each. */
  intervalMs: number
}

export interface Planned {
  facts: SegmentFacts
  /** Points from this time on are set aside. */
  until: number
  /** A damaged segment is not rewritten. */
  isDamaged: boolean
}

export type Task<T> =
  | { kind: 'remove'; segments: readonly T[] }
  /** Restores points set aside. */
  | { kind: 'restore'; segments: readonly T[] }
  | { kind: 'write'; segments: readonly T[]; interval: number }

/** Maximum time span of a segment, so that expired points can be removed in time. */
const periodOf = ({ interval }: SegmentFacts): number => (interval > 0 ? 30 * DAY : DAY)

const samePeriod = (a: SegmentFacts, b: SegmentFacts): boolean =>
  a.interval === b.interval && Math.floor(a.from / periodOf(a)) === Math.floor(b.from / periodOf(b))

const tierOf = ({ points }: SegmentFacts): number =>
  Math.max(0, Math.floor(Math.log(points / SMALLEST_POINTS) / Math.log(STEP)))

/** Splits a list wherever two neighbours do not belong together. */
function runs<T>(items: readonly T[], together: (a: T, b: T) => boolean): T[][] {
  const result: T[][] = []
  for (const item of items) {
    const run = result.at(-1)
    if (run && together(run.at(-1)!, item)) run.push(item)
    else result.push([item])
  }
  return result
}

/** A time range with points. */
type Range = Pick<SegmentFacts, 'from' | 'to'>

/**
 * The fate of points of the future whose time has come. If others were measured for that time, the
 * clock was ahead when they were measured, and they are removed. Otherwise the later clock was
 * behind, and they are restored. If the clock was ahead by years, they are removed after a while.
 * @param newer ranges of points that were measured later
 */
function settled<T extends Planned>(
  segment: T,
  newer: readonly Range[],
  now: number,
): Task<T> | undefined {
  const { facts, until, isDamaged } = segment
  const isPast = facts.to < now
  if (until === Infinity || (!isPast && until > now - AHEAD_KEPT_MS)) return undefined
  const segments = [segment]
  const begin = Math.max(until, facts.from)
  if (isPast && !newer.some(({ from, to }) => from <= facts.to && to >= begin)) {
    return { kind: 'restore', segments }
  }
  if (facts.from >= until) return { kind: 'remove', segments }
  return isDamaged ? undefined : { kind: 'write', segments, interval: facts.interval }
}

/**
 * The next task; undefined if there is none. The segments are in order of time.
 * @param head time range of points that are in no segment yet
 */
export function nextTask<T extends Planned>(
  segments: readonly T[],
  head: Range,
  now: number,
  { rawMs, keepMs, intervalMs }: Retention,
): Task<T> | undefined {
  const expired = segments.find(({ facts }) => facts.to < now - keepMs)
  if (expired) return { kind: 'remove', segments: [expired] }
  for (const [index, segment] of segments.entries()) {
    if (segment.until === Infinity) continue
    const newer = [...segments.slice(index + 1).map(({ facts }) => facts), head]
    const task = settled(segment, newer, now)
    if (task) return task
  }
  const isPlain = ({ isDamaged, until }: Planned) => !isDamaged && until === Infinity
  const periods = runs(segments, (a, b) => isPlain(a) && isPlain(b) && samePeriod(a.facts, b.facts))
  for (const period of periods) {
    const { facts } = period[0]!
    const length = periodOf(facts)
    const isOver = (Math.floor(facts.from / length) + 1) * length < now
    if (isOver && period.length > 1) {
      const merged = period.slice(0, MOST_AT_ONCE)
      return { kind: 'write', segments: merged, interval: facts.interval }
    }
    const sameSize = runs(period, (a, b) => tierOf(a.facts) === tierOf(b.facts))
    const full = sameSize.find((run) => run.length >= STEP)
    if (full) {
      return { kind: 'write', segments: full.slice(0, MOST_AT_ONCE), interval: facts.interval }
    }
  }
  const old = segments.find(
    (segment) => isPlain(segment) && segment.facts.interval === 0 && segment.facts.to < now - rawMs,
  )
  return old && { kind: 'write', segments: [old], interval: intervalMs }
}
