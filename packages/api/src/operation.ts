import type { Action } from './rules/roles.ts'
import type { Fields, Schema } from './schema.ts'
import type { ApiVersion } from './versions.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Callers of an operation:
 * - `public`: every client, without credentials
 * - `session`: any signed-in user, about themselves
 * - `scim`: an identity provider with a SCIM token, about the users and groups of its silo; no user
 * - a map of the kinds that the call looks up, each with the action needed; other kinds cannot be
 * looked up. The containers of these resources have to be readable
 */
export type Permission = 'public' | 'session' | 'scim' | Readonly<Record<string, Action>>

/** Paging of a list; it determines `sort_by` and the page marker. */
export interface Scan {
  /** Sort key of the rows; `none`: the order is fixed, and the marker is the handler's own. */
  sort: 'name_or_id' | 'id' | 'name' | 'version' | 'time_and_id' | 'column' | 'none'
  /** Values of `sort_by`; the first is the default. Empty: the list has no `sort_by`. */
  modes: readonly string[]
  /** Query parameters required on the first page. */
  required: readonly string[]
}

/** Encoding of a request body. Byte bodies are `application/octet-stream` in the document. */
export type BodyType =
  | 'application/json'
  | 'application/scim+json'
  | 'application/x-www-form-urlencoded'
  | 'application/octet-stream'

/**
 * Database use of a call:
 * - `none`: reads only, or changes no rows; runs outside of a transaction, and no cache is cleared
 * - `snapshot`: several reads that must agree, so all of them see the rows of one moment. On SQLite
 * other calls wait for it, so it must not read many rows
 * - `one`: an exclusive transaction
 * - `concurrent`: a transaction that runs beside other concurrent ones; see
 * `OpenDatabase.concurrently` for its obligations
 * - `own`: the handler runs its own transactions, one after the other
 */
export type TransactionUse = 'none' | 'snapshot' | 'one' | 'concurrent' | 'own'

/** Answer of an operation on success. */
export interface Success {
  /** Redirects are 302 and 303: the handler returns the `location`. */
  status: 101 | 200 | 201 | 202 | 204 | 302 | 303
  /** Absent for an empty body. */
  schema?: Schema
  /** JSON unless given. Handlers return text for `text/…` and bytes for anything else. */
  contentType?: string
  /**
   * The handler builds the `Response` itself (byte ranges, errors of another shape); the document
   * does not describe it.
   */
  freeForm?: true
}

/** Path parameters of a read, derived from the arguments of the call that replaces its answer. */
export type ReplacedParams = (args: {
  params: Record<string, string>
  query: Record<string, string>
  body: { name: string }
}) => Record<string, string>

/** One row of the contract. */
export interface Operation<P extends Permission = Permission> {
  method: Method
  /** Path with parameters in braces: `/v1/projects/{project}`. */
  path: string
  tags: readonly string[]
  summary: string
  permission: P
  /** The kind whose operations include it. */
  kind?: string
  /**
   * What a call changes besides what its kind, its permission and its path say (`changedBy`): kinds,
   * and reads that no kind declares. Empty: nothing that a client reads.
   */
  changes?: readonly string[]
  /**
   * A `session` operation that also serves callers with limits (`Limits`): it looks each resource up
   * by the permission matrix, or shows only who the caller is. All others are about the user's own
   * account, and need all rights of the user.
   */
  evenIfLimited?: true
  /**
   * The call stores something that acts later, such as a schedule or a subscription. It must not have
   * more rights than the caller, nor for longer:
   * - `account`: it acts with all rights of the user; callers with limits are refused, unless it
   * belongs to a project
   * - `mandate`: it acts with the rights of the caller, keeps the limits of an access token, and ends
   * with that token
   * - `place`: it acts for a project or the fleet, and shows only data that a caller with this
   * `permission` may read
   */
  actsLater?: 'account' | 'mandate' | 'place'
  /** Served, but omitted from the document: for browsers, or another protocol. */
  unpublished?: true
  params?: Fields
  query?: Fields
  /** Renamed query parameters: the old name, the current name, and the version of the change. */
  formerQuery?: Readonly<Record<string, { name: string; until: ApiVersion }>>
  /** Operation-specific request headers; names in lower case. */
  headers?: Fields
  scan?: Scan
  /** Request body. */
  body?: Schema
  /** Encoding of the request body; JSON unless given. */
  bodyType?: BodyType
  /** Skips the check of the content type. Only for byte bodies. */
  anyContentType?: true
  /** The handler reads the body as a stream, up to `maxBody` bytes. */
  streamed?: true
  /** Bytes; 1 MiB unless given. */
  maxBody?: number
  /**
   * Fast path that reads a large body without the JSON parser, if it is spelled as expected. Its
   * result counts as validated.
   */
  quickBody?: (text: string) => unknown
  /** Absent: derived from the method, see `transactionOf`. */
  transaction?: TransactionUse
  /**
   * The answer also depends on the time, or on the current state of the engines, so it is never
   * cached.
   */
  live?: true
  /**
   * Permitted while the disk of the database is full, using the reserved space: signing in and out,
   * and operations that free space. Deletes are permitted without it.
   */
  evenIfFull?: true
  /**
   * Audit log: it records every operation that is not a read; `false` exempts one. For a call whose
   * path does not show its target: a kind, another one for calls that look up none of the first, and
   * optionally the body property with the name. `secret` is a body property that a refusal may quote, but the log must not.
   */
  audited?: false | { kind: string; otherwise?: string; name?: string; secret?: string }
  /**
   * The read whose answer the call replaces, so that a client may send its entity tag in `if-match`
   * (RFC 9110, section 13.1.1). Absent: see `replacedRead`.
   */
  replaces?: { id: string; params?: ReplacedParams }
  /**
   * The setting (`versionedSettings`) whose new version a call makes. Such calls may state a reason (`x-change-reason`).
   */
  versioned?: string
  success: Success
  /** The host upgrades it to a WebSocket. */
  websocket?: true
}

/** Whether calls of an operation are recorded in the audit log. */
export const isAudited = ({ method, audited }: Operation): boolean =>
  audited === undefined ? method !== 'GET' && method !== 'HEAD' : audited !== false

/** Whether calls of an operation may change rows. */
export const writesRows = (operation: Pick<Operation, 'method' | 'transaction'>): boolean =>
  !['none', 'snapshot'].includes(transactionOf(operation))

/** Database use of a call: reads run without a transaction, all others in one. */
export const transactionOf = ({
  method,
  transaction,
}: Pick<Operation, 'method' | 'transaction'>): TransactionUse =>
  transaction ?? (method === 'GET' || method === 'HEAD' ? 'none' : 'one')

/** Path of an operation that is not part of the original API. */
export const extensionPath = (path: string): string => (path.startsWith('/x/') ? path : `/x${path}`)
