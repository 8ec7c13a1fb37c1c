/** Days of a time zone. */

const DAY_MS = 24 * 60 * 60 * 1000
/** Clocks differ from UTC, and change, by multiples of this. */
const QUARTER_MS = 15 * 60 * 1000
/** No clock differs from UTC by more. */
const OFFSET_MAX_MS = 16 * 60 * 60 * 1000

/** The day after another one, both `YYYY-MM-DD`. */
export const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)

/** Number of days from the first to the last, both included; not positive if they are reversed. */
export const daysFrom = (first: string, last: string): number =>
  Math.round((Date.parse(`${last}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / DAY_MS) + 1

/**
 * The days from the first to the last, and the one after, each with the moment at which it begins in
 * a time zone, in milliseconds since 1970. A day whose midnight was skipped begins after the gap.
 * @param timeZone of the IANA database
 */
export function startsOfDays(
  first: string,
  final: string,
  timeZone: string,
): { day: string; start: number }[] {
  const format = new Intl.DateTimeFormat('sv', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const dayAt = (ms: number) => format.format(ms)
  const begins = (day: string, ms: number) => dayAt(ms) >= day && dayAt(ms - 1) < day
  const search = (day: string): number => {
    const midnight = Date.parse(`${day}T00:00:00Z`)
    let before = (midnight - OFFSET_MAX_MS) / QUARTER_MS
    let after = (midnight + OFFSET_MAX_MS) / QUARTER_MS
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (dayAt(middle * QUARTER_MS) >= day) after = middle
      else before = middle
    }
    return after * QUARTER_MS
  }
  const starts: { day: string; start: number }[] = []
  const count = daysFrom(first, final) + 1
  for (let day = first; starts.length < count; day = dayAfter(day)) {
    const last = starts.at(-1)
    // Most days have 24 hours.
    const guess = last && last.start + DAY_MS
    starts.push({ day, start: guess && begins(day, guess) ? guess : search(day) })
  }
  return starts
}
