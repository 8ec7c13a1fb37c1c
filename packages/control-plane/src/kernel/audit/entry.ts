import {
  type ActionFacts,
  AUDIT_FACT_MAX,
  AUDIT_MESSAGE_MAX,
  AUDIT_URI_MAX,
  AUDIT_USER_AGENT_MAX,
  type AuthMethod,
  type ErrorTemplate,
  factNamesOf,
} from '@steading/api/rules'
import type { Db } from '../db/database.ts'
import type { AuditLogTable } from '../db/schema.ts'
import type { Author } from '../events/outbox.ts'
import { jsonColumn } from '../db/json-column.ts'
import { entryId } from './entry-id.ts'
import { type Arguments, type AuditedOperation, targetOf } from './target.ts'
import { relatedResources, type AuditContext } from './audit-context.ts'

/** The address of a client that the host does not know; it stands for no address. */
const UNKNOWN_ADDRESS = '0.0.0.0'

/** The origin of a call. */
export interface Origin {
  requestId: string
  /** Path and query. */
  uri: string
  sourceIp: string
  userAgent: string | null
  /** The caller's credential; undefined for a caller who presented none. */
  credential?: { method: AuthMethod; id: string | null }
}

export const factsColumn = jsonColumn<ActionFacts>()

/** A finished call. */
export interface Audited {
  called: AuditedOperation
  origin: Origin
  author: Author | undefined
  /** The job whose item the call is. */
  jobId?: string
  args: Arguments
  audit: AuditContext
  started: Date
  completed: Date
  /** Undefined if it succeeded. */
  error?: Pick<ErrorTemplate, 'status' | 'error_code' | 'message'>
}

/** An entry, and the ids of the other resources it is about. */
export interface Entry {
  row: AuditLogTable
  related: string[]
}

/** The facts that the sentence of an action names; null if it names none of them. */
function factsOf(operation: string, { resources, facts }: AuditContext, targetId?: string | null) {
  const found: Record<string, string> = {}
  for (const name of factNamesOf(operation)) {
    const other = resources.find(({ kind, id }) => kind === name && id !== targetId)
    const fact = facts[name] ?? other?.name
    if (fact) found[name] = fact.slice(0, AUDIT_FACT_MAX)
  }
  return Object.keys(found).length > 0 ? factsColumn.write(found) : null
}

export function entryOf(call: Audited): Entry {
  const { called, origin, audit, error } = call
  const author = call.author ?? audit.author
  const target = targetOf(called, call.args, audit)
  const { path, success } = called.operation
  // Operators' calls about the system belong to no silo's log.
  const own = path.startsWith('/v1/system/') ? null : (author?.siloId ?? audit.siloId ?? null)
  // The clock may have been set back meanwhile.
  const completed = call.completed > call.started ? call.completed : call.started
  const row: AuditLogTable = {
    id: entryId(completed),
    time_started: call.started.toISOString(),
    time_completed: completed.toISOString(),
    request_id: origin.requestId,
    request_uri: origin.uri.slice(0, AUDIT_URI_MAX),
    operation_id: called.id,
    source_ip: origin.sourceIp || UNKNOWN_ADDRESS,
    user_agent: origin.userAgent?.slice(0, AUDIT_USER_AGENT_MAX) ?? null,
    auth_method: origin.credential?.method ?? null,
    credential_id: origin.credential?.id ?? null,
    actor_kind: author ? (author.userId === null ? 'scim' : 'silo_user') : 'unauthenticated',
    actor_id: author?.userId ?? null,
    actor_name: author?.displayName ?? null,
    actor_silo_id: author?.siloId ?? null,
    silo_id: target?.siloId ?? own,
    project_id: target?.projectId ?? null,
    target_kind: target?.kind ?? null,
    target_id: target?.id ?? null,
    target_name: target?.name ?? null,
    job_id: call.jobId ?? null,
    result: error ? 'error' : 'success',
    status: error?.status ?? success.status,
    error_code: error?.error_code ?? null,
    error_message: error ? error.message.slice(0, AUDIT_MESSAGE_MAX) : null,
    facts: factsOf(called.id, audit, target?.id),
  }
  return { row, related: relatedResources(audit, row.target_id) }
}

/**
 * Writes entries, in the transaction of the changes they record. An entry without changes may be
 * written again, if the connection was cut before the database answered.
 */
export async function writeEntries(db: Db, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  await db
    .insertInto('audit_log')
    .values(entries.map(({ row }) => row))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const things = entries.flatMap(({ row: { id, time_completed }, related }) =>
    related.map((thing_id) => ({ time_completed, entry_id: id, thing_id })),
  )
  if (things.length === 0) return
  await db
    .insertInto('audit_log_thing')
    .values(things)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
