import type { ApiVersion, OperationId, SocketOperationId, Wire } from '@steading/api'
import type { Credential, ScimCaller } from './authz/caller.ts'
import type { Db } from './db/database.ts'
import type { ApiError } from './errors.ts'
import type { Page } from './paging.ts'
import type { SocketHandler } from './sockets.ts'
import type { RequiredActionsOf, Work } from './work.ts'

type Shapes = Wire.Operations

/**
 * The part of a context that only HTTP calls have. Used only by handlers whose answer is not JSON.
 */
export interface HttpCall {
  request: Request
  /** The API version of the client; the newest if the client does not name one. */
  apiVersion: ApiVersion
  /** Address of the client, if the host knows it. */
  clientAddress: string
  /** The caller's credential; undefined for calls that need none. */
  credential: Credential | undefined
  /**
   * The silo whose users and groups the caller provisions, for operations with the permission
   * `scim`.
   */
  scim: ScimCaller['scim'] | undefined
  /**
   * The 412 for an `if-match` that does not match the answer a read of the replaced resource would
   * get now. Handlers that run in one transaction need not check it; handlers with transactions of
   * their own check it in the one that writes.
   */
  precondition: (db: Db) => Promise<ApiError | undefined>
  /** Headers of the answer. */
  responseHeaders: Headers
}

/** Everything a handler may use. Fields of the request are validated values of the contract. */
export interface Context<Op extends OperationId = OperationId> extends Work<RequiredActionsOf<Op>> {
  operationId: Op
  params: Shapes[Op]['params']
  query: Shapes[Op]['query']
  headers: Shapes[Op]['headers']
  body: Shapes[Op]['body']
  /** The page that a list call asks for; only present for operations with a scan. */
  page: Page
  http: HttpCall
}

/** A result, or a function that reads it once the transaction is committed. */
export type HandlerResult<T> = T | (() => Promise<T>)

/** A handler of an operation. Operations that open a WebSocket return the handler of the socket. */
export type Handler<Op extends OperationId> = (
  ctx: Context<Op>,
) => Promise<
  Op extends SocketOperationId ? SocketHandler : HandlerResult<Shapes[Op]['result']> | Response
>

/**
 * One handler for each operation of a part of the table: `Handlers<typeof tables.diskOperations>`.
 */
export type Handlers<Table> = { [Op in keyof Table & OperationId]: Handler<Op> }
