import type { Wire } from '@steading/api'
import { csvLine, type ExportFormat } from '@steading/api/rules'

type Value = string | number | null | undefined

/** The columns of an export; their names are the header. */
const columns: Record<string, (entry: Wire.AuditEntry) => Value> = {
  time_completed: (entry) => entry.time_completed,
  time_started: (entry) => entry.time_started,
  actor_kind: (entry) => entry.actor_kind,
  user: (entry) => entry.user?.display_name,
  user_id: (entry) => entry.user?.id,
  operation: (entry) => entry.operation_id,
  target_kind: (entry) => entry.target?.kind,
  target: (entry) => entry.target?.name,
  target_id: (entry) => entry.target?.id,
  project_id: (entry) => entry.target?.project_id,
  result: (entry) => entry.result.kind,
  status: ({ result }) => (result.kind === 'unknown' ? null : result.http_status_code),
  error_code: ({ result }) => (result.kind === 'error' ? result.error_code : null),
  error: ({ result }) => (result.kind === 'error' ? result.error_message : null),
  source_ip: (entry) => entry.source_ip,
  user_agent: (entry) => entry.user_agent,
  auth_method: (entry) => entry.auth_method,
  credential_id: (entry) => entry.credential_id,
  request_id: (entry) => entry.request_id,
  request_uri: (entry) => entry.request_uri,
  job_id: (entry) => entry.job_id,
  id: (entry) => entry.id,
}

export interface Format {
  contentType: string
  /** Of the file. */
  extension: string
  header: string
  entry: (entry: Wire.AuditEntry) => string
}

export const formats: Record<ExportFormat, Format> = {
  csv: {
    contentType: 'text/csv; charset=utf-8',
    extension: 'csv',
    header: csvLine(Object.keys(columns)),
    entry: (entry) => csvLine(Object.values(columns).map((column) => column(entry))),
  },
  json_lines: {
    contentType: 'application/jsonl',
    extension: 'jsonl',
    header: '',
    entry: (entry) => `${JSON.stringify(entry)}\n`,
  },
}
