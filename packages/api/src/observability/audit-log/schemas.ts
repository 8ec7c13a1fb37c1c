import { historyKinds } from '../../kinds/index.ts'
import { actionOutcomes } from './actions.ts'
import { auditResults, authMethods, exportFormats } from './rules.ts'
import {
  answerText,
  boolean,
  dateTime,
  named,
  oneOf,
  record,
  string,
  tagged,
  uint16,
  uint32,
  uuid,
} from '../../schema.ts'

export const AuthMethod = named('AuthMethod', oneOf(...authMethods))

const AuditLogEntryActor = named(
  'AuditLogEntryActor',
  tagged('kind', {
    user_builtin: { user_builtin_id: uuid },
    silo_user: { silo_user_id: uuid, silo_id: uuid },
    scim: { silo_id: uuid },
    unauthenticated: {},
  }),
)

const AuditLogEntryResult = named(
  'AuditLogEntryResult',
  tagged('kind', {
    success: { http_status_code: uint16 },
    error: {
      http_status_code: uint16,
      error_code: string.nullable().optional(),
      error_message: string,
    },
    unknown: {},
  }),
)

const ip = answerText({ format: 'ip' })

const entry = {
  id: uuid,
  request_id: string,
  request_uri: string,
  operation_id: string,
  source_ip: ip,
  user_agent: string.nullable().optional(),
  auth_method: AuthMethod.nullable().optional(),
  credential_id: uuid.nullable().optional(),
  time_started: dateTime,
  time_completed: dateTime,
  result: AuditLogEntryResult,
}

export const AuditLogEntry = record('AuditLogEntry', { ...entry, actor: AuditLogEntryActor })

/** A user under the name at the time of the action. */
const AuditedUser = record('AuditedUser', { id: uuid, display_name: string, silo_id: uuid })

/** Target of a request; without an id if it did not exist, or not yet. */
const AuditedResource = record('AuditedResource', {
  kind: string,
  id: uuid.nullable(),
  name: string,
  project_id: uuid.nullable(),
})

/**
 * An entry with the names of its subjects. Silo admins do not see the identity of users of another
 * silo.
 */
export const AuditEntry = record('AuditEntry', {
  ...entry,
  source_ip: ip.nullable(),
  /** Summary of the operation: "Delete a disk". */
  summary: string,
  /** A sentence without its subject, the user: "created disk grain". */
  sentence: string,
  /** Kind of caller: a user, the owner of a SCIM token, or a client that was not signed in. */
  actor_kind: oneOf('silo_user', 'user_builtin', 'scim', 'unauthenticated'),
  user: AuditedUser.nullable(),
  target: AuditedResource.nullable(),
  /** The job that the action was part of. */
  job_id: uuid.nullable(),
})

export const HistoryKind = named('HistoryKind', oneOf(...historyKinds))

const historyEntry = {
  id: uuid,
  time_completed: dateTime,
  operation_id: string,
  summary: string,
  sentence: string,
  /** Null if there was none, or if the caller may not know the user. */
  user: AuditedUser.nullable(),
  target: AuditedResource.nullable(),
  job_id: uuid.nullable(),
  result: AuditLogEntryResult,
}
/** A change of a resource, for all users who may see its history. */
export const HistoryEntry = record('HistoryEntry', historyEntry)

/** A change, or several alike that a user made one after the other. */
export const OverviewChange = record('OverviewChange', {
  ...historyEntry,
  /** Number of changes that the sentence tells at once. */
  count: uint32,
})

const Outcome = named('ActionOutcome', oneOf(...actionOutcomes))

/** An action of the caller, with its outcome. */
export const OwnAction = record('OwnAction', {
  id: uuid,
  time_started: dateTime,
  time_completed: dateTime,
  operation_id: string,
  summary: string,
  sentence: string,
  /** Path and query of the call. */
  request_uri: string,
  target: AuditedResource.nullable(),
  outcome: Outcome,
  /** Reason of a refusal or failure, if known. */
  reason: string.nullable(),
})
/** An action of anybody, as those see it who may read its resource. */
export const Action = record('Action', {
  id: uuid,
  time_started: dateTime,
  time_completed: dateTime,
  operation_id: string,
  summary: string,
  sentence: string,
  /** Null for a caller who is no user of the silo. */
  user: AuditedUser.nullable(),
  /** Whether the caller did it. */
  is_own: boolean,
  /** Null if others were refused, because their calls may name resources unknown to the caller. */
  target: AuditedResource.nullable(),
  /** The job that the action was part of. */
  job_id: uuid.nullable(),
  outcome: Outcome,
  /** Reason of a refusal or failure, if known; null for refusals of others. */
  reason: string.nullable(),
})

export const AuditResult = oneOf(...auditResults)
export const ExportFormat = named('AuditExportFormat', oneOf(...exportFormats))
export const AuditExport = named('AuditExport', string)
