import type { exportFormats } from '@steading/api/rules'
import { apiQuery, PAGE_SIZE } from '../../data/api.ts'
import { saveFile } from '../../ui/save-file.ts'
import { errorToast } from '../../ui/toasts.tsx'
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
export async function exportEntries(format: Format, filters: AuditFilters): Promise<void> {
  try {
    const response = await fetch(addressOf(format, filters))
    if (!response.ok) throw new Error(`The control plane answered ${response.status}.`)
    const day = new Date().toISOString().slice(0, 10)
    const contents = await response.blob()
    saveFile(`audit-log-${day}.${extensions[format]}`, [contents], contents.type)
  } catch (error) {
    const cutOff = error instanceof TypeError
    const reason = cutOff ? 'The connection was lost.' : (error as Error).message
    errorToast('Could not export the audit log', reason)
  }
}
