import type { Action } from './rules/roles.ts'
import type { Fields, Schema } from './schema.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may call an operation.
 * - `public`: anybody, without credentials
 * - `session`: any signed-in user, about themselves
 * - a map of the kinds of things the call looks up, each with the action it needs there; what is not
 *   in the map cannot be looked up. What those things are inside of has to be readable
 */
export type Permission = 'public' | 'session' | Readonly<Record<string, Action>>

/** How a list is paged; decides `sort_by` and the page marker. */
export interface Scan {
  sort: 'name_or_id' | 'id' | 'column'
  /** What `sort_by` may say; the first unless it is said. */
  modes: readonly string[]
  /** Query parameters that must be there on the first page. */
  required: readonly string[]
}

/** One row of the contract. */
export interface Operation {
  method: Method
  /** With parameters in braces, `/v1/projects/{project}`. */
  path: string
  tags: readonly string[]
  summary: string
  permission: Permission
  params?: Fields
  query?: Fields
  scan?: Scan
  /** Request body, JSON. */
  body?: Schema
  /** The body is bytes. Not for the typed client, which speaks JSON. */
  rawBody?: true
  /** Bytes; 1 MiB unless told otherwise. */
  maxBody?: number
  /**
   * Reads a large body without the JSON parser, if it is spelled as expected. What it gives has been
   * validated.
   */
  quickBody?: (text: string) => unknown
  /** Changes no rows, whatever its method: runs outside of a transaction, and wakes nobody. */
  rowless?: true
  /** Writes so much that its handler does it in transactions of its own, one after the other. */
  ownTransactions?: true
  /** Answer on success; no schema means no body. */
  success: {
    status: 101 | 200 | 201 | 202 | 204
    schema?: Schema
    /** JSON unless told otherwise. */
    contentType?: string
  }
  /** Rewrites a body spelled as older clients do, before it is validated. */
  upgrade?: (body: unknown) => unknown
  /** Upgraded to a WebSocket by the host. */
  websocket?: true
}
