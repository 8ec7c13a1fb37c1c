/** Schedules in words: for lists and pages, which do not load the library of the forms. */
import type { Schedule, ScheduleRecurrence, ScheduleRetention } from '@steading/api/client'
import { formatHour } from '../../ui/exact-time.ts'
import { ownTimeZone } from '../../ui/time.tsx'
import { counted, jobVerb, retentionRules, type RetentionRule } from '@steading/api/rules'

export const scheduleDocs = {
  topic: 'schedules',
  summary:
    'A schedule takes snapshots of disks, or starts or stops instances, at recurring times or once. It acts with the rights of the user who last changed it.',
}

export const weekdays = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

/** A recurrence of the plain form; others have a cron expression only. */
export type PlainRecurrence =
  | { every: 'hour'; minute: number }
  | { every: 'day'; time: string }
  | { every: 'week'; time: string; weekday: number }
  | { every: 'month'; time: string; day: number }

const two = (text: string) => text.padStart(2, '0')

/** The plain form of a cron expression; undefined if it has none. */
export function plainRecurrence(expression: string): PlainRecurrence | undefined {
  const found = /^(\d+) (\d+|\*) (\d+|\*) \* ([0-6]|\*)$/.exec(expression.trim())
  if (!found) return undefined
  const [, minute, hour, day, weekday] = found as unknown as [
    string,
    string,
    string,
    string,
    string,
  ]
  if (hour === '*') {
    return day === '*' && weekday === '*' ? { every: 'hour', minute: Number(minute) } : undefined
  }
  const time = `${two(hour)}:${two(minute)}`
  if (day !== '*') {
    return weekday === '*' ? { every: 'month', time, day: Number(day) } : undefined
  }
  return weekday === '*'
    ? { every: 'day', time }
    : { every: 'week', time, weekday: Number(weekday) }
}

const timeWords = (time: string): string => {
  const [hour, minute] = time.split(':').map(Number)
  return formatHour(hour!, minute)
}

function plainWords(plain: PlainRecurrence): string {
  switch (plain.every) {
    case 'hour':
      return `Every hour at :${two(String(plain.minute))}`
    case 'day':
      return `Every day at ${timeWords(plain.time)}`
    case 'week':
      return `Every ${weekdays[plain.weekday]} at ${timeWords(plain.time)}`
    case 'month':
      return `On day ${plain.day} of each month at ${timeWords(plain.time)}`
  }
}

/**
 * `Every day at 2:00 AM`, `Cron 0 2 * * 1-5`, `Once`, with the time zone unless it is that of the
 * browser: `Every day at 2:00 AM, Europe/Berlin`.
 */
export function recurrenceWords(recurrence: ScheduleRecurrence): string {
  if (recurrence.type === 'once') return 'Once'
  const { expression, timeZone } = recurrence
  const plain = plainRecurrence(expression)
  const words = plain ? plainWords(plain) : `Cron ${expression}`
  return timeZone === ownTimeZone() ? words : `${words}, ${timeZone}`
}

/** `Snapshot 2 instances, 1 disk`, `Stop 2 instances`, `Snapshot 1 tag`. */
export function actionWords({ action, instances, disks, tags }: Schedule): string {
  const things = [
    ...(instances > 0 ? [counted(instances, 'instance')] : []),
    ...(disks > 0 ? [counted(disks, 'disk')] : []),
    ...(tags > 0 ? [counted(tags, 'tag')] : []),
  ]
  return `${jobVerb(action)} ${things.join(', ') || 'nothing'}`
}

export const retentionLabels: Record<RetentionRule, string> = {
  last: 'Latest',
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
  yearly: 'Yearly',
}

/** `7 latest, 4 weekly`, `All snapshots`. */
export const retentionWords = (retention: ScheduleRetention | null): string =>
  retention === null
    ? 'All snapshots'
    : retentionRules
        .filter((rule) => retention[rule])
        .map((rule) => `${retention[rule]} ${retentionLabels[rule].toLowerCase()}`)
        .join(', ')
