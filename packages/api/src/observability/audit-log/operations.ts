import { dateTime, NameOrId, shortText, uuid } from '../../schema.ts'
import { PlainSearchText } from '../../searched.ts'
import {
  Action,
  AuditEntry,
  AuditExport,
  AuditLogEntry,
  AuditResult,
  ExportFormat,
  HistoryEntry,
  HistoryKind,
  OwnAction,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

/** Filters of entries: a time range (start inclusive, end exclusive) and properties. */
const filters = {
  start_time: dateTime.optional(),
  end_time: dateTime.optional(),
  /** Id of the silo of the action. */
  silo: uuid.optional(),
  /** Id of the user. */
  user: uuid.optional(),
  /** Id of the operation. */
  operation: shortText.optional(),
  result: AuditResult.optional(),
  /** Id of a resource that the request was about. */
  target: uuid.optional(),
  /** Substring of the user, target, operation, address, error or user agent. */
  search: PlainSearchText.optional(),
}

export const auditLogOperations = usual('audit_log', {
  item: AuditEntry,
  id: 'audit_entry',
  path: '/x/v1/audit-log/{entry}',
  params: { entry: uuid },
})({
  audit_log_list: {
    route: 'GET /v1/system/audit-log',
    tags: ['system/audit-log'],
    summary: 'List the audit log of the fleet',
    permission: { fleet: 'read' },
    query: { end_time: dateTime.nullable().optional(), start_time: dateTime.optional() },
    pages: AuditLogEntry,
    sort: 'time_and_id',
    required: ['start_time'],
  },
  audit_entry_list: {
    summary:
      "List the audit log: of the fleet for its viewers, of the caller's silo for its admins",
    query: filters,
    sort: { kind: 'AuditEntry', columns: ['time_completed'] },
  },
  audit_log_export: {
    route: 'GET /x/v1/audit-log/export',
    summary: 'Download the audit log, oldest entries first',
    permission: { audit_log: 'list' },
    query: { format: ExportFormat, ...filters },
    success: { status: 200, schema: AuditExport, contentType: 'text/plain', freeForm: true },
  },
  // Declared after the export, whose path it matches as well.
  audit_entry_view: { summary: 'Fetch an entry of the audit log' },
  own_action_list: {
    route: 'GET /x/v1/me/actions',
    summary: 'List the actions of the caller outside of jobs, with their outcomes',
    permission: 'session',
    query: { result: AuditResult.optional() },
    pages: OwnAction,
    sort: { kind: 'OwnAction', columns: ['time_completed'] },
    live: true,
  },
  action_list: {
    route: 'GET /x/v1/actions',
    summary: 'List the actions of all users on resources that the caller may read',
    permission: { project: 'read' },
    query: { project: NameOrId.optional(), result: AuditResult.optional() },
    pages: Action,
    sort: { kind: 'Action', columns: ['time_completed'] },
    live: true,
  },
  history_list: {
    route: 'GET /x/v1/history',
    summary: 'Show the history of a resource',
    permission: 'session',
    evenIfLimited: true,
    query: { kind: HistoryKind.optional(), id: uuid.optional() },
    pages: HistoryEntry,
    sort: 'time_and_id',
    required: ['kind', 'id'],
  },
})
