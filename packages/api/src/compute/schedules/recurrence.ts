/**
 * Times of runs, by cron expression and time zone. The control plane and the preview of forms use
 * the same functions. Separate from the rules, because forms alone need the library.
 */
import { Cron } from 'croner'
import { CRON_MAX, scheduleMessages, scheduleMinutesMin, TIME_ZONE_MAX } from './rules.ts'
import { type ScheduleActionName } from './states.ts'

/** Times of the runs of a schedule. */
export type Recurrence =
  | { type: 'cron'; expression: string; time_zone: string }
  | { type: 'once'; time_due: string }

/**
 * A cron expression at fixed times of day runs once on each day: right after the gap if the clocks
 * were put forward over its time, and at the first of two equal times if they were put back. Others
 * follow the clock.
 */
const cron = (expression: string, timezone: string): Cron =>
  new Cron(expression, { timezone, mode: '5-part', fixedTimeRule: 'no-wildcard' })

/** Whether a name stands for a time zone of the IANA database. */
export function isTimeZone(name: string): boolean {
  if (name.length > TIME_ZONE_MAX || !/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }))
  } catch {
    return false
  }
}

/**
 * The instant of a local time in a time zone, such as `2026-12-01 02:00`; undefined if the text is
 * none. A time that is skipped is moved as in a daily run, and the first of two equal ones counts.
 */
export function instantOf(local: string, timeZone: string): Date | undefined {
  const found = /^(\d{4}-\d{2}-\d{2})[ T](\d{1,2}):(\d{2})$/.exec(local.trim())
  if (!found || !isTimeZone(timeZone)) return undefined
  const [, day, hour, minute] = found as unknown as [string, string, string, string]
  try {
    const once = new Cron(`${day}T${hour.padStart(2, '0')}:${minute}:00`, {
      timezone: timeZone,
      allowPast: true,
    })
    const time = once.nextRun(new Date(0))
    // The library moves the 30th of February to March.
    const isThatDay = time?.toLocaleDateString('sv', { timeZone }) === day
    return isThatDay ? time! : undefined
  } catch {
    return undefined
  }
}

/** The next run after a moment; undefined if there is none. */
export function nextRun(recurrence: Recurrence, after: Date): Date | undefined {
  if (recurrence.type === 'once') {
    const time = new Date(recurrence.time_due)
    return time > after ? time : undefined
  }
  return cron(recurrence.expression, recurrence.time_zone).nextRun(after) ?? undefined
}

/** The next runs after a moment, at most as many as asked for. */
export function nextRuns(recurrence: Recurrence, after: Date, count: number): Date[] {
  const runs: Date[] = []
  for (let last = after; runs.length < count;) {
    const next = nextRun(recurrence, last)
    if (!next) break
    runs.push(next)
    last = next
  }
  return runs
}

/** Any year; the times of a single field are the same in all of them. */
const SOME_DAY = new Date('2030-01-01T00:00:00Z')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Minutes of an hour at which an expression of this first field runs. */
function minutesOf(field: string): number[] {
  const runs: number[] = []
  const hour = cron(`${field} * * * *`, 'UTC')
  let last: Date | null = new Date(SOME_DAY.getTime() - MINUTE_MS)
  while ((last = hour.nextRun(last))) {
    const minute = (last.getTime() - SOME_DAY.getTime()) / MINUTE_MS
    if (minute >= 60) break
    runs.push(minute)
  }
  return runs
}

/** Whether an expression of this second field runs in two consecutive hours, of any two days. */
function hasNeighbours(field: string): boolean {
  const hours = new Set<number>()
  const day = cron(`0 ${field} * * *`, 'UTC')
  let last: Date | null = new Date(SOME_DAY.getTime() - MINUTE_MS)
  while ((last = day.nextRun(last))) {
    const hour = (last.getTime() - SOME_DAY.getTime()) / HOUR_MS
    if (hour >= 24) break
    hours.add(hour)
  }
  return [...hours].some((hour) => hours.has((hour + 1) % 24))
}

/** The fewest minutes between two runs, on any days. */
function leastMinutes(expression: string): number {
  const [minute, hour] = expression.trim().split(/\s+/) as [string, string]
  const minutes = minutesOf(minute)
  const gaps = minutes.slice(1).map((one, index) => one - minutes[index]!)
  if (hasNeighbours(hour)) gaps.push(60 - minutes.at(-1)! + minutes[0]!)
  return Math.min(...gaps, 60)
}

/** A problem with a recurrence, and the field that has it. */
export interface RecurrenceProblem {
  field: 'expression' | 'time_zone' | 'time_due'
  message: string
}

function cronProblem(expression: string, action: ScheduleActionName): string | undefined {
  const says = scheduleMessages
  if (expression.length > CRON_MAX) return says.cronLength
  if (expression.trim().split(/\s+/).length !== 5) return says.cronFields
  if (expression.includes('?')) return says.cronCurrent
  try {
    const least = scheduleMinutesMin(action)
    if (leastMinutes(expression) < least) return says.cronTooOften(least)
    return cron(expression, 'UTC').nextRun(SOME_DAY) ? undefined : says.cronNever
  } catch (error) {
    return (error as Error).message.replace(/^Cron\w*: /, '')
  }
}

/**
 * Problem with a recurrence of an action; undefined if it is valid.
 * @param now one-time actions must be later
 */
export function recurrenceProblem(
  recurrence: Recurrence,
  action: ScheduleActionName,
  now: Date,
): RecurrenceProblem | undefined {
  if (recurrence.type === 'once') {
    return new Date(recurrence.time_due) > now
      ? undefined
      : { field: 'time_due', message: scheduleMessages.timePast }
  }
  if (!isTimeZone(recurrence.time_zone)) {
    return { field: 'time_zone', message: scheduleMessages.timeZone }
  }
  const message = cronProblem(recurrence.expression, action)
  return message === undefined ? undefined : { field: 'expression', message }
}
