import type { exportFormats } from '@steading/api/rules'
import { apiQuery, PAGE_SIZE } from '../../data/api.ts'
import { download } from '../../page/download.ts'
import type { AuditFilters } from './filters.ts'

/** Latest entries first. */
export const auditEntriesQuery = (filters: AuditFilters & { limit?: number }, pageToken?: string) =>
  apiQuery('auditEntryList', {
    query: { limit: PAGE_SIZE, ...filters, sortBy: 'time_completed_descending', pageToken },
  })

export const auditEntryQuery = (entry: string) => apiQuery('auditEntryView', { path: { entry } })

type Format = (typeof exportFormats)[number]
const extensions: Record<Format, string> = { csv: 'csv', json_lines: 'jsonl' }

function addressOf(format: Format, { startTime, endTime, ...filters }: AuditFilters): string {
  const query = new URLSearchParams({ format })
  if (startTime) query.set('start_time', startTime.toISOString())
  if (endTime) query.set('end_time', endTime.toISOString())
  for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value)
  return `/x/v1/audit-log/export?${query}`
}

/** Exports the filtered entries as a file. */
export function exportEntries(format: Format, filters: AuditFilters): Promise<void> {
  const day = new Date().toISOString().slice(0, 10)
  return download(
    addressOf(format, filters),
    `audit-log-${day}.${extensions[format]}`,
    'Could not export the audit log',
  )
}
