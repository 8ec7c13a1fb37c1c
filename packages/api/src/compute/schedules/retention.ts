/** Snapshots that a retention keeps: the latest ones, and the newest of each of some periods. */
import { type RetentionRule, retentionMax, retentionRules, scheduleMessages } from './rules.ts'

/** Number of snapshots, or of periods with a snapshot each, that each rule keeps. */
export type Retention = Readonly<Record<RetentionRule, number>>

/** Problem with the numbers of a retention; undefined if they are valid. */
export function retentionProblem(retention: Retention): string | undefined {
  const above = retentionRules.find((rule) => retention[rule] > retentionMax[rule])
  if (above) return scheduleMessages.retentionMax(above)
  return retentionRules.every((rule) => retention[rule] === 0)
    ? scheduleMessages.retentionNone
    : undefined
}

const DAY_MS = 86_400_000

/** Names of the periods that contain a day: equal within a period, different otherwise. */
function periodsOf(year: number, month: number, day: number): Record<RetentionRule, string> {
  const date = Date.UTC(year, month - 1, day)
  // Weeks begin on Monday. The first of January 1970 was a Thursday.
  const week = Math.floor((date / DAY_MS + 3) / 7)
  return {
    last: '',
    daily: String(date),
    weekly: String(week),
    monthly: `${year}-${month}`,
    yearly: String(year),
  }
}

/** Reads the day of a moment in a time zone. */
function dayReader(timeZone: string): (time: Date) => [year: number, month: number, day: number] {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
  return (time) => {
    const parts = Object.fromEntries(
      format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
    )
    return [parts.year!, parts.month!, parts.day!]
  }
}

/**
 * The snapshots of one disk that a retention keeps. Each rule applies by itself; a snapshot is kept
 * if one of them keeps it. The order decides which one is newest, not the times, so that a clock
 * that was set back never makes the latest snapshot an old one.
 * @param taken from the newest to the oldest
 */
export function keptSnapshots<Taken extends { time: Date }>(
  taken: readonly Taken[],
  retention: Retention,
  timeZone: string,
): Set<Taken> {
  const kept = new Set<Taken>(taken.slice(0, retention.last))
  const dayOf = dayReader(timeZone)
  const periods = taken.map(({ time }) => periodsOf(...dayOf(time)))
  for (const rule of retentionRules) {
    if (rule === 'last' || retention[rule] === 0) continue
    const seen = new Set<string>()
    for (const [index, one] of taken.entries()) {
      const period = periods[index]![rule]
      if (seen.has(period)) continue
      if (seen.size >= retention[rule]) break
      seen.add(period)
      kept.add(one)
    }
  }
  return kept
}
