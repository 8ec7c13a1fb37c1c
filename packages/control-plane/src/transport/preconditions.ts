/**
 * The header `if-match` (RFC 9110, section 13.1.1): a client names the answer on which its change
 * is based, so that it does not undo another client's later change.
 */
import {
  type Operation,
  type OperationId,
  type OperationTable,
  parseParams,
  parseQuery,
  replacedRead,
} from '@steading/api'
import type { Context, Handler, HttpCall } from '../kernel/context.ts'
import type { Db } from '../kernel/db/database.ts'
import { entityTagOf, namesTag } from '../kernel/entity-tag.ts'
import { ApiError, fail } from '../kernel/errors.ts'
import type { ControlPlaneServices } from '../kernel/services.ts'
import { queryOf } from './request.ts'
import { presentResult } from './response.ts'

type Arguments = Pick<Context, 'params' | 'query' | 'body'>

/** A read whose answer another operation replaces. */
export interface Replaced {
  id: OperationId
  operation: Operation
  handler: Handler<OperationId>
  /** Its path parameters, from the arguments of the call that replaces its answer. */
  params: (args: Arguments) => Record<string, string>
}

export function findReplaced(
  { operations, handlers }: { operations: OperationTable; handlers: object },
  operation: Operation,
): Replaced | undefined {
  const read = replacedRead(operations, operation)
  if (!read) return undefined
  const id = read.id as OperationId
  const handler = (handlers as Record<OperationId, Handler<OperationId>>)[id]
  return { id, operation: operations[id]!, handler, params: read.params as Replaced['params'] }
}

/**
 * The check of `if-match` for one call.
 * @param contextOf makes the context of a read by the same caller
 */
export function createPrecondition(
  { native }: Pick<ControlPlaneServices, 'native'>,
  replaced: Replaced | undefined,
  args: Arguments,
  { request, apiVersion }: Pick<HttpCall, 'request' | 'apiVersion'>,
  contextOf: (db: Db, read: Replaced, args: Partial<Context>) => Context,
): HttpCall['precondition'] {
  const expected = request.headers.get('if-match')
  if (!replaced || expected === null || expected.trim() === '*') return async () => undefined
  const { operation, handler } = replaced

  /** The tag that an answer to the read would have now. */
  const presentTag = async (db: Db): Promise<string | undefined> => {
    const params = parseParams(operation.params ?? {}, replaced.params(args))
    const query = parseQuery(operation.query ?? {}, queryOf(request, operation, apiVersion))
    const answer = await handler(contextOf(db, replaced, { params, query } as Partial<Context>))
    const result = typeof answer === 'function' ? await answer() : answer
    const presented = presentResult(operation.success, result, apiVersion, undefined)
    return presented instanceof Response ? undefined : entityTagOf(native, presented.text)
  }
  return async (db) => {
    try {
      const tag = await presentTag(db)
      if (tag !== undefined && namesTag(expected, tag)) return undefined
    } catch (error) {
      // No answer exists for the tag to match.
      if (!(error instanceof ApiError)) throw error
    }
    return fail.preconditionFailed()
  }
}
