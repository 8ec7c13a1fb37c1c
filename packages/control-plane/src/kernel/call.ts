import { type OperationId, operationTable } from '@steading/api'
import type { Actor } from './authz/actor.ts'
import type { Context } from './context.ts'
import type { Db } from './db/database.ts'
import { writeChange } from './events/outbox.ts'
import { fail } from './errors.ts'
import type { ControlPlaneServices } from './services.ts'

/** What is known of a call before anything is looked up. */
export type CallDetails<Op extends OperationId> = Pick<
  Context<Op>,
  'params' | 'query' | 'body' | 'page' | 'request' | 'clientAddress' | 'now'
> & {
  /** Undefined for a call without credentials. */
  actor: Actor | undefined
}

/** A call that has been understood, and whose caller is known: over HTTP, or from a job. */
export interface Call<Op extends OperationId> {
  /** What its handler gets; a transaction that is tried again gets a fresh one. */
  context: (db: Db) => Context<Op>
  responseHeaders: Headers
  /** What the last handler wanted done after the commit. */
  followUps: () => (() => Promise<void>)[]
}

/** Puts together what the handler of an operation gets. */
export function prepareCall<Op extends OperationId>(
  services: ControlPlaneServices,
  id: Op,
  { actor, ...details }: CallDetails<Op>,
): Call<Op> {
  const responseHeaders = new Headers()
  let followUps: (() => Promise<void>)[] = []
  const context = (db: Db) => {
    followUps = []
    return {
      operationId: id,
      operation: operationTable[id],
      ...details,
      db,
      services,
      get actor(): Actor {
        if (!actor) throw fail.unauthorized()
        return actor
      },
      emit: (change) => writeChange(db, change, details.now),
      responseHeaders,
      afterCommit: (work) => void followUps.push(work),
    } as Context<Op>
  }
  return { context, responseHeaders, followUps: () => followUps }
}
