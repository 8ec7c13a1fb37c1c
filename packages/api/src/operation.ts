import type { Action } from './rules/roles.ts'
import type { Fields, Schema } from './schema.ts'
import type { ApiVersion } from './versions.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call an operation.
 * - `public`: every client, without credentials
 * - `session`: any signed-in user, about themselves
 * - `scim`: an identity provider with a SCIM token, about the users and groups of its silo; no user
 * - a map of the kinds of things the call looks up, each with the action it needs there; what is not
 *   in the map cannot be looked up. What those things are inside of has to be readable
 */
export type Permission = 'public' | 'session' | 'scim' | Readonly<Record<string, Action>>

/** How a list is paged; decides `sort_by` and the page marker. */
export interface Scan {
  /** What rows are ordered by; `none`: the order is fixed, and the marker is the handler's. */
  sort: 'name_or_id' | 'id' | 'name' | 'version' | 'time_and_id' | 'column' | 'none'
  /** The values `sort_by` takes; the first is the default. Empty: the list has no `sort_by`. */
  modes: readonly string[]
  /** Query parameters that must be there on the first page. */
  required: readonly string[]
}

/**
 * How a request body is encoded. Bodies of bytes are `application/octet-stream` in the document.
 */
export type BodyType =
  | 'application/json'
  | 'application/scim+json'
  | 'application/x-www-form-urlencoded'
  | 'application/octet-stream'

/**
 * How a call uses the database.
 * - `none`: reads only, or changes no rows; runs outside of a transaction, and no cache is cleared
 * - `snapshot`: reads only, by several statements that must agree: all of them see the rows of one
 *   moment. The others wait for it on SQLite, so it must not read many rows
 * - `one`: runs in one transaction that no other runs beside
 * - `concurrent`: runs in one transaction beside others that say so, too; see
 *   `OpenDatabase.concurrently` for what it then has to take care of
 * - `own`: the handler runs transactions of its own, one after the other
 */
export type TransactionUse = 'none' | 'snapshot' | 'one' | 'concurrent' | 'own'

/** What an operation answers on success. */
export interface Success {
  /** Redirects are 302 and 303: the handler returns the `location`. */
  status: 101 | 200 | 201 | 202 | 204 | 302 | 303
  /** Absent: no body. */
  schema?: Schema
  /** JSON unless given. Handlers return text for `text/…` and bytes for anything else. */
  contentType?: string
  /**
   * The handler makes the `Response` itself (ranges of bytes, errors of another shape); the document
   * promises nothing about it.
   */
  freeForm?: true
}

/** The path parameters of a read, from the arguments of the call that replaces its answer. */
export type ReplacedParams = (args: {
  params: Record<string, string>
  query: Record<string, string>
  body: { name: string }
}) => Record<string, string>

/** One row of the contract. */
export interface Operation {
  method: Method
  /** With parameters in braces, `/v1/projects/{project}`. */
  path: string
  tags: readonly string[]
  summary: string
  permission: Permission
  /** Served, but left out of the document: meant for browsers, or another protocol. */
  unpublished?: true
  params?: Fields
  query?: Fields
  /** Query parameters that had another name once: the old name, today's, and until when. */
  formerQuery?: Readonly<Record<string, { name: string; until: ApiVersion }>>
  /** Request headers that the operation takes besides those of every call; names in lower case. */
  headers?: Fields
  scan?: Scan
  /** Request body. */
  body?: Schema
  /** Encoding of the request body; JSON unless given. */
  bodyType?: BodyType
  /** The content type of the body is not checked. Only for bodies of bytes. */
  anyContentType?: true
  /** The handler reads the bytes of the body as they arrive, up to `maxBody` of them. */
  streamed?: true
  /** Bytes; 1 MiB unless given. */
  maxBody?: number
  /**
   * Reads a large body without the JSON parser, if it is spelled as expected. Its result counts as
   * validated.
   */
  quickBody?: (text: string) => unknown
  /** Absent: what the method implies, see `transactionOf`. */
  transaction?: TransactionUse
  /**
   * The answer of the read also depends on the time, or on what the engines say at the moment, not on
   * rows alone, so it is made again each time.
   */
  live?: true
  /**
   * Goes on while the disk of the database is full, with the room that is reserved for it: signing
   * in and out, and what leads to less being there. Deletes do so without saying it.
   */
  evenIfFull?: true
  /**
   * For the audit log, in which every operation stands that is no read: `false` leaves it out. For a
   * call whose path does not say what it is about: a kind, and perhaps the property of the body that
   * has the name. `secret` is a property of the body that a refusal may quote, but no entry.
   */
  audited?: false | { kind: string; name?: string; secret?: string }
  /**
   * The read whose answer the call replaces, so that a client may name its entity tag in `if-match`
   * (RFC 9110, section 13.1.1). Absent: see `replacedRead`.
   */
  replaces?: { id: string; params?: ReplacedParams }
  success: Success
  /** Upgraded to a WebSocket by the host. */
  websocket?: true
}

/** Whether calls of an operation stand in the audit log. */
export const isAudited = ({ method, audited }: Operation): boolean =>
  method !== 'GET' && method !== 'HEAD' && audited !== false

/** Whether calls of an operation may change rows. */
export const writesRows = (operation: Operation): boolean =>
  !['none', 'snapshot'].includes(transactionOf(operation))

/** How a call uses the database: reads run without a transaction, everything else in one. */
export const transactionOf = ({ method, transaction }: Operation): TransactionUse =>
  transaction ?? (method === 'GET' || method === 'HEAD' ? 'none' : 'one')
