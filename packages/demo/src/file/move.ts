/**
 * The place of a cloud in time and on the web. It is filled when the demo is built, and opened at
 * any later time, at any address: its texts and times are then moved there.
 */

/** Origin of the site while the cloud is filled. */
export const ORIGIN = 'https://demo.invalid'

/** Name of `createMove` in the statements of the file. */
export const MOVED = 'moved'

export interface Place {
  now: Date
  origin: string
}

export const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Times of the cloud in milliseconds from its present, up to the ends of its access tokens. Others
 * are in signed documents, such as the end of a trust root, and stay as they are.
 */
const EARLIEST = -365 * DAY_MS
const LATEST = 120 * DAY_MS

const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g
const DAY = /^\d{4}-\d\d-\d\d$/
/** Days in JSON. */
const QUOTED_DAYS = /(?<=")\d{4}-\d\d-\d\d(?=")/g
const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const startOfDay = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS

/**
 * A function that moves a value of a column: a text with times or with the origin, a day, or
 * milliseconds since 1970. Any other value stays.
 */
export function createMove(present: Date, { now, origin }: Place) {
  const from = present.getTime()
  const by = now.getTime() - from
  const daysBy = startOfDay(now.getTime()) - startOfDay(from)
  const isOurs = (ms: number) => ms >= from + EARLIEST && ms <= from + LATEST
  return <Value>(value: Value): Value | string | number => {
    if (typeof value === 'number') return isOurs(value) ? value + by : value
    if (typeof value !== 'string') return value
    const movedDay = (text: string) => {
      const day = Date.parse(text)
      return isOurs(day) ? isoDay(day + daysBy) : text
    }
    if (DAY.test(value)) return movedDay(value)
    const placed = value.replaceAll(ORIGIN, origin).replaceAll(QUOTED_DAYS, movedDay)
    return placed.replaceAll(TIMES, (text) => {
      const ms = Date.parse(text)
      if (!isOurs(ms)) return text
      const moved = new Date(ms + by).toISOString()
      return text.includes('.') ? moved : `${moved.slice(0, 19)}Z`
    })
  }
}
