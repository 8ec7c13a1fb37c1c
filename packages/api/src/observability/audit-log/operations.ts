import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'
import { dateTime, NameOrId, resultsPage, shortText, uuid } from '../../schema.ts'
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

const tags = ['extensions']
const permission = { audit_log: 'list' } as const

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

export const auditLogOperations = {
  audit_log_list: {
    method: 'GET',
    path: '/v1/system/audit-log',
    tags: ['system/audit-log'],
    summary: 'List the audit log of the fleet',
    permission: { fleet: 'read' },
    ...paged(
      'time_and_id',
      { end_time: dateTime.nullable().optional(), start_time: dateTime.optional() },
      ['start_time'],
    ),
    success: { status: 200, schema: resultsPage(AuditLogEntry) },
  },
  audit_entry_list: {
    method: 'GET',
    path: '/x/v1/audit-log',
    tags,
    summary:
      "List the audit log: of the fleet for its viewers, of the caller's silo for its admins",
    permission,
    ...paged({ kind: 'AuditEntry', columns: ['time_completed'] }, filters),
    success: { status: 200, schema: resultsPage(AuditEntry) },
  },
  audit_log_export: {
    method: 'GET',
    path: '/x/v1/audit-log/export',
    tags,
    summary: 'Download the audit log, oldest entries first',
    permission,
    query: { format: ExportFormat, ...filters },
    success: { status: 200, schema: AuditExport, contentType: 'text/plain', freeForm: true },
  },
  // Declared after the export, whose path it matches as well.
  audit_entry_view: {
    method: 'GET',
    path: '/x/v1/audit-log/{entry}',
    tags,
    summary: 'Fetch an entry of the audit log',
    permission: { audit_log: 'read' },
    params: { entry: uuid },
    success: { status: 200, schema: AuditEntry },
  },
  own_action_list: {
    method: 'GET',
    path: '/x/v1/me/actions',
    tags,
    summary: 'List the actions of the caller outside of jobs, with their outcomes',
    permission: 'session',
    ...paged(
      { kind: 'OwnAction', columns: ['time_completed'] },
      { result: AuditResult.optional() },
    ),
    live: true,
    success: { status: 200, schema: resultsPage(OwnAction) },
  },
  action_list: {
    method: 'GET',
    path: '/x/v1/actions',
    tags,
    summary: 'List the actions of all users on resources that the caller may read',
    permission: { project: 'read' },
    ...paged(
      { kind: 'Action', columns: ['time_completed'] },
      { project: NameOrId.optional(), result: AuditResult.optional() },
    ),
    live: true,
    success: { status: 200, schema: resultsPage(Action) },
  },
  history_list: {
    method: 'GET',
    path: '/x/v1/history',
    tags,
    summary: 'Show the history of a resource',
    permission: 'session',
    evenIfLimited: true,
    ...paged('time_and_id', { kind: HistoryKind.optional(), id: uuid.optional() }, ['kind', 'id']),
    success: { status: 200, schema: resultsPage(HistoryEntry) },
  },
} as const satisfies Record<string, Operation>
