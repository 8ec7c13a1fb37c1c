/** Filters of the audit log in the address. */
import { AUDIT_KEPT_DAYS, type AuditResult } from '@steading/api/rules'

export const ranges = {
  hour: { label: 'Last hour', ms: 3_600_000 },
  day: { label: 'Last 24 hours', ms: 86_400_000 },
  week: { label: 'Last 7 days', ms: 7 * 86_400_000 },
  month: { label: 'Last 30 days', ms: 30 * 86_400_000 },
  all: { label: `All ${AUDIT_KEPT_DAYS} days`, ms: undefined },
} as const
export type Range = keyof typeof ranges | 'between'

export const results = {
  success: 'Succeeded',
  error: 'Refused or failed',
} as const satisfies Partial<Record<AuditResult, string>>

const names = ['range', 'from', 'to', 'result', 'search', 'user', 'operation', 'target'] as const
export type AuditSearch = Partial<Record<(typeof names)[number], string>>

/** No filters. */
export const noFilters = Object.fromEntries(names.map((name) => [name, ''])) as AuditSearch

/** Parameters of the address: the filters, and the open entry. */
export type AuditAddress = AuditSearch & { entry?: string }

/** Values other than strings are ignored. */
export const readAuditAddress = (search: Record<string, unknown>): AuditAddress =>
  Object.fromEntries(
    [...names, 'entry'].flatMap((name) => {
      const value = search[name]
      return typeof value === 'string' && value ? [[name, value]] : []
    }),
  )

const isRange = (text: string | undefined): text is Range =>
  text === 'between' || (text !== undefined && text in ranges)

export const rangeOf = ({ range }: AuditSearch): Range => (isRange(range) ? range : 'day')

const dateOf = (text: string | undefined): Date | undefined => {
  const date = text === undefined ? undefined : new Date(text)
  return date && !Number.isNaN(date.getTime()) ? date : undefined
}

/** @param now time at which the range was chosen, so that following the log does not move it */
export function filtersOf(search: AuditSearch, now: number) {
  const range = rangeOf(search)
  const ms = range === 'between' ? undefined : ranges[range].ms
  const { user, operation, target, result } = search
  return {
    startTime: range === 'between' ? dateOf(search.from) : ms ? new Date(now - ms) : undefined,
    endTime: range === 'between' ? dateOf(search.to) : undefined,
    result: result && result in results ? (result as AuditResult) : undefined,
    search: search.search,
    user,
    operation,
    target,
  }
}

export type AuditFilters = ReturnType<typeof filtersOf> & { silo?: string }
