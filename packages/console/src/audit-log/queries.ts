import { apiQuery, PAGE_SIZE } from '../data/api.ts'
import type { AuditFilters } from './filters.ts'

/** The latest first. */
export const auditEntriesQuery = (filters: AuditFilters, pageToken?: string) =>
  apiQuery('auditEntryList', {
    query: { ...filters, sortBy: 'time_completed_descending', limit: PAGE_SIZE, pageToken },
  })
