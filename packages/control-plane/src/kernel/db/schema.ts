/**
 * The tables of the kernel; resources and engines add theirs, in `kind.ts` or `table.ts` of their
 * folders, by declaration merging. The column types are those that both databases have: text (ids,
 * names, RFC 3339 times, JSON) and integers (bytes, counts, booleans as 0 and 1).
 *
 * `time_deleted` is null for live rows; names are unique among live rows only.
 */
import type { AuditResult, AuthMethod, KindName } from '@steading/api/rules'
import type { Generated } from 'kysely'

export type Flag = 0 | 1

export interface Identity {
  id: string
  name: string
  description: string
  time_created: string
  time_modified: string
}
/** Columns of resources with a searchable list. */
export interface Listed extends Identity {
  /** The sort key of the name, written together with it: see `named`. */
  name_key: string
}
export interface SoftDeleted {
  time_deleted: string | null
}

/** The columns of rows that the reconciler brings to their desired state. */
export interface Reconciled {
  /** The alarm: when the row is due. Claiming the row clears it; null means nothing to do. */
  reconcile_at: Generated<string | null>
  /**
   * The lease: the time until which the row belongs to the step that claimed it, in milliseconds by
   * the clock of the database. A lease that has run out makes the row due, because its step was
   * interrupted.
   */
  lease_until: Generated<number | null>
  /** Rises with every claim; a step with an older value has lost the row. */
  fence: Generated<number>
  /** Number of steps that have failed in a row, at any server. */
  step_failures: Generated<number>
  /** The error of the last failed step, and when the first of them failed; null if none has. */
  step_failure: Generated<string | null>
  time_step_failed: Generated<string | null>
}

export interface EventTable {
  id: Generated<number>
  /**
   * Number of the transaction that wrote the event, on PostgreSQL; 0 on SQLite. Events are sorted
   * by it.
   */
  tx: Generated<number>
  time: string
  /** Name of the resource in paths and folders, e.g. `instances`. */
  resource: string
  action: 'create' | 'update' | 'delete'
  resource_id: string
  name: string
  silo_id: string | null
  project_id: string | null
  /** Set for an event that only this user may see. */
  user_id: string | null
  /** The author of the change, with their name at the time; null for changes by the system. */
  author_id: string | null
  author_name: string | null
  author_silo_id: string | null
}

/**
 * The actor, operation, target and result of a call. Entries are in the order of their primary key.
 */
export interface AuditLogTable {
  time_completed: string
  id: string
  time_started: string
  request_id: string
  request_uri: string
  operation_id: string
  source_ip: string
  user_agent: string | null
  auth_method: AuthMethod | null
  credential_id: string | null
  actor_kind: 'silo_user' | 'user_builtin' | 'scim' | 'unauthenticated'
  actor_id: string | null
  /** The name at the time; the same for the target. */
  actor_name: string | null
  actor_silo_id: string | null
  /** The silo whose log has the entry; null for entries about the system. */
  silo_id: string | null
  project_id: string | null
  target_kind: KindName | null
  target_id: string | null
  target_name: string | null
  job_id: string | null
  result: AuditResult
  status: number | null
  error_code: string | null
  error_message: string | null
  /** Names and texts in the sentence about the action, as JSON (`factsColumn`). */
  facts: string | null
}

/** Other resources that an entry is about, besides its target. */
export interface AuditLogResourceTable {
  time_completed: string
  entry_id: string
  thing_id: string
}

/** Tasks that one server at a time may do. */
export interface LeaseTable {
  /** Name of the task. */
  id: string
  /** Rises with every new holder. */
  token: number
  /** Milliseconds of the database's clock. */
  lease_until: number
}

/** A server that writes chunks of an import; the import ends once no server has a row. */
export interface ImportWriterTable {
  disk_id: string
  server: string
  /** Milliseconds by the clock of the database; the row of a server that died runs out. */
  lease_until: number
}

/** Facts about this installation, by key. */
export interface SettingTable {
  key: string
  value: string
}

/** The highest token seen for a machine or a volume. */
export interface EngineFenceTable {
  id: string
  fence: number
  /** Milliseconds since 1970 by the clock of the database. */
  time_seen: number
}

/** A step of the reconciler that has taken too long, and may still be running. */
export interface StuckStepTable {
  /** The table and the id of its row. */
  kind: string
  id: string
  /** The claim of the step. */
  fence: number
  /** Name of the host of its server. */
  server: string
  time_began: string
}

/** A machine of servers whose clock is far from that of the database. */
export interface ServerClockTable {
  /** Name of the host of its servers. */
  id: string
  seconds_ahead: number
  time_began: string
  /** When a server last said so; the row of a server that died runs out. */
  time_seen: string
}

export interface Database {
  event: EventTable
  audit_log: AuditLogTable
  audit_log_thing: AuditLogResourceTable
  lease: LeaseTable
  engine_fence: EngineFenceTable
  endless_step: StuckStepTable
  import_writer: ImportWriterTable
  server_clock: ServerClockTable
  setting: SettingTable
}
