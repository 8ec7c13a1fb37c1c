/** The question of a report: from the address to the arguments of its call. */
import type { UsageGrouping, UsageReport } from '@steading/api/client'
import { isTimeZone } from '@steading/api/recurrence'
import { tagKeyProblem, USAGE_KEPT_DAYS, usageGroupings } from '@steading/api/rules'

/** The question of a report, in the address. Values are checked where they are used. */
export type UsageSearch = {
  /** `2026-11`; the present month by default. */
  month?: string
  /** IANA time zone of the days; UTC by default. */
  zone?: string
  by?: string
  /** Key of a tag. */
  tag?: string
  /** Name of a silo or a project, for the report of that alone. */
  of?: string
}

/** A month, `2026-11`. */
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

/** Months with records, the present one first. */
export function monthsOf(now: Date): string[] {
  const count = Math.ceil(USAGE_KEPT_DAYS / 31)
  return Array.from({ length: count }, (_, ago) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago)).toISOString().slice(0, 7),
  )
}

const monthFormat = new Intl.DateTimeFormat(undefined, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** `November 2026`. */
export const monthLabel = (month: string): string => monthFormat.format(new Date(`${month}-01`))

const lastDayOf = (month: string): string => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

export type Question = {
  month: string
  firstDay: string
  lastDay: string
  timeZone: string
  groupBy: UsageGrouping
  tagKey: string | undefined
}

/** A question; parts of the address that make no sense are ignored. */
export function questionOf(search: UsageSearch, usual: UsageGrouping): Question {
  const month = MONTH.test(search.month ?? '') ? search.month! : monthsOf(new Date())[0]!
  const { zone = 'UTC', by, tag } = search
  return {
    month,
    firstDay: `${month}-01`,
    lastDay: lastDayOf(month),
    timeZone: isTimeZone(zone) ? zone : 'UTC',
    groupBy: usageGroupings.find((one) => one === by) ?? usual,
    tagKey: tag && tagKeyProblem(tag) === undefined ? tag : undefined,
  }
}

export const queryOf = ({ firstDay, lastDay, timeZone, groupBy, tagKey }: Question) => ({
  firstDay,
  lastDay,
  timeZone,
  groupBy,
  tagKey,
})

export type Line = UsageReport['lines'][number]
export type Amount = Line['amounts'][number]
