import { apiQuery, PAGE_SIZE } from '../../data/api.ts'
import type { AuditFilters } from './filters.ts'

/** The latest first. */
export const auditEntriesQuery = (filters: AuditFilters & { limit?: number }, pageToken?: string) =>
  apiQuery('auditEntryList', {
    query: { limit: PAGE_SIZE, ...filters, sortBy: 'time_completed_descending', pageToken },
  })

export const auditEntryQuery = (entry: string) => apiQuery('auditEntryView', { path: { entry } })
