/**
 * Times of charts, logs and schedules. Like those of `time.tsx`, which every page loads, they are in
 * the language of the browser.
 */
import { formatTime } from './time.tsx'

const secondsFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
const exactFormat = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
})
const zonedFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })

const day = { month: 'short', day: 'numeric' } as const
const time = { hour: 'numeric', minute: '2-digit' } as const
const dayFormat = new Intl.DateTimeFormat(undefined, day)
const dayTimeFormat = new Intl.DateTimeFormat(undefined, { ...day, ...time })
const yearDayTimeFormat = new Intl.DateTimeFormat(undefined, {
  year: 'numeric',
  ...day,
  ...time,
})

/** `5:58:03 PM` */
export const formatSeconds = (at: Date | number): string => secondsFormat.format(at)

/** `Nov 28, 2026, 5:58:03 PM` */
export const formatExact = (at: Date | number): string => exactFormat.format(at)

/** `Nov 28, 2026, 5:58:03 PM UTC` */
export const formatZoned = (at: Date | number): string => zonedFormat.format(at)

/** `Nov 28`, of a day at most some months away. */
export const formatDay = (date: Date): string => dayFormat.format(date)

/** A time on an axis over several days: `Nov 28, 5:58 PM`, or `Nov 28` at midnight. */
export function formatDayTime(at: Date | number): string {
  const date = new Date(at)
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0
  return (isMidnight ? dayFormat : dayTimeFormat).format(date)
}

/** `Nov 28, 4:58 – 5:58 PM`, with the years unless both are the present one. */
export function formatRange(from: number, to: number, now = new Date()): string {
  const isThisYear = [from, to].every((at) => new Date(at).getFullYear() === now.getFullYear())
  return (isThisYear ? dayTimeFormat : yearDayTimeFormat).formatRange(from, to)
}

/** A time of day without a date: `2:00 AM`. */
export const formatHour = (hour: number, minute = 0): string =>
  // A day without a change of clocks.
  formatTime(new Date(2000, 0, 1, hour, minute))
