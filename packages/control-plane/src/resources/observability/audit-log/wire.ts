import { operationTable, type OperationId, type Wire } from '@steading/api'
import { actionSentence, formerScimOperations, type Told } from '@steading/api/rules'
import { factsColumn } from '../../../kernel/audit/entry.ts'
import type { Actor } from '../../../kernel/authz/actor.ts'
import { maySeeUserOf } from '../../../kernel/events/visibility.ts'
import type { EntryRow } from './list.ts'

function resultOf({
  result,
  status,
  error_code,
  error_message,
}: EntryRow): Wire.AuditLogEntryResult {
  switch (result) {
    case 'success':
      return { kind: 'success', http_status_code: status! }
    case 'error':
      return {
        kind: 'error',
        http_status_code: status!,
        error_code,
        error_message: error_message ?? '',
      }
    case 'unknown':
      return { kind: 'unknown' }
  }
}

function actorOf({ actor_kind, actor_id, actor_silo_id }: EntryRow): Wire.AuditLogEntryActor {
  switch (actor_kind) {
    case 'silo_user':
      return { kind: 'silo_user', silo_user_id: actor_id!, silo_id: actor_silo_id! }
    case 'user_builtin':
      return { kind: 'user_builtin', user_builtin_id: actor_id! }
    case 'scim':
      return { kind: 'scim', silo_id: actor_silo_id! }
    case 'unauthenticated':
      return { kind: 'unauthenticated' }
  }
}

const currentId = (id: string): string => formerScimOperations[id] ?? id

const isPublic = (id: string): boolean => operationTable[id as OperationId]?.permission === 'public'

const common = (row: EntryRow) => ({
  id: row.id,
  request_id: row.request_id,
  request_uri: row.request_uri,
  operation_id: currentId(row.operation_id),
  source_ip: row.source_ip,
  user_agent: row.user_agent,
  auth_method: row.auth_method,
  credential_id: row.credential_id,
  time_started: row.time_started,
  time_completed: row.time_completed,
  result: resultOf(row),
})

export const toWireLogEntry = (row: EntryRow): Wire.AuditLogEntry => ({
  ...common(row),
  // The caller of a sign-in is not authenticated yet; silo admins see the name in `AuditEntry`.
  actor: isPublic(row.operation_id) ? { kind: 'unauthenticated' } : actorOf(row),
})

/** Summary of an operation; its id if this version no longer has it. */
export const summaryOf = (id: string): string =>
  operationTable[currentId(id) as OperationId]?.summary ?? id

/** The sentence about an action, without the user's name before it: `created disk grain`. */
export const sentenceOf = (
  row: Pick<EntryRow, 'operation_id' | 'result' | 'target_kind' | 'target_name' | 'facts'>,
  many: Pick<Told, 'count' | 'isMore'> = {},
): string =>
  actionSentence({
    operation: currentId(row.operation_id),
    target: row.target_kind && { kind: row.target_kind, name: row.target_name ?? '' },
    facts: row.facts === null ? null : factsColumn.read(row.facts),
    failed: row.result === 'error',
    ...many,
  })

export const userOf = (actor: Actor, row: EntryRow): Wire.AuditedUser | null =>
  row.actor_kind === 'silo_user' && maySeeUserOf(actor, row.actor_silo_id)
    ? { id: row.actor_id!, display_name: row.actor_name ?? '', silo_id: row.actor_silo_id! }
    : null

export const targetOf = (row: EntryRow): Wire.AuditedResource | null =>
  row.target_kind === null
    ? null
    : {
        kind: row.target_kind,
        id: row.target_id,
        name: row.target_name ?? '',
        project_id: row.project_id,
      }

/** An entry as a silo admin or an operator sees it. */
export function toWireAuditEntry(actor: Actor, row: EntryRow): Wire.AuditEntry {
  const hidden = row.actor_silo_id !== null && !maySeeUserOf(actor, row.actor_silo_id)
  return {
    ...common(row),
    ...(hidden ? { source_ip: null, user_agent: null, credential_id: null } : {}),
    summary: summaryOf(row.operation_id),
    sentence: sentenceOf(row),
    actor_kind: row.actor_kind,
    user: userOf(actor, row),
    target: targetOf(row),
    job_id: row.job_id,
  }
}

/** An entry as shown to all callers who may read its resource. */
export const toWireHistoryEntry = (actor: Actor, row: EntryRow): Wire.HistoryEntry => ({
  id: row.id,
  time_completed: row.time_completed,
  operation_id: row.operation_id,
  summary: summaryOf(row.operation_id),
  sentence: sentenceOf(row),
  user: userOf(actor, row),
  target: targetOf(row),
  job_id: row.job_id,
  result: resultOf(row),
})
