import type { Operation, OperationId, Wire } from '@steading/api'
import type { Actor } from './authz/actor.ts'
import type { Db } from './db/database.ts'
import type { Change } from './events/outbox.ts'
import type { Page } from './paging.ts'
import type { ControlPlaneServices } from './services.ts'

type Shapes = Wire.Operations

/** Everything a handler may use. Fields of the request are validated values of the contract. */
export interface Context<Op extends OperationId = OperationId> {
  operationId: Op
  operation: Operation
  params: Shapes[Op]['params']
  query: Shapes[Op]['query']
  body: Shapes[Op]['body']
  /** Of a list; only there for operations with a scan. */
  page: Page
  request: Request
  /** Address of the client, if the host knows it. */
  clientAddress: string
  /**
   * One serializable transaction for calls that write; the plain database for reads, and for calls
   * that make their own transactions.
   */
  db: Db
  services: ControlPlaneServices
  /** Now, the same for the whole call. */
  now: Date
  /** Who calls; throws 401 for a call without credentials. */
  actor: Actor
  /** Records a change in the outbox, in the same transaction. */
  emit: (change: Change) => Promise<void>
  /** Headers of the answer. */
  responseHeaders: Headers
  /** Work for after the commit, before the answer. */
  afterCommit: (work: () => Promise<void>) => void
}

/** A result, or a function that reads it once the transaction is committed. */
export type HandlerResult<T> = T | (() => Promise<T>)

export type Handler<Op extends OperationId> = (
  ctx: Context<Op>,
) => Promise<HandlerResult<Shapes[Op]['result']> | Response>

export type Handlers<Op extends OperationId> = { [K in Op]: Handler<K> }
