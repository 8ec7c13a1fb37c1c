import {
  type Operation,
  type OperationId,
  operationTable,
  ParseError,
  parseBody,
  parseParams,
  parseQuery,
} from '@steading/api'
import { Hono, type Context as HonoContext } from 'hono'
import { authenticate } from '../resources/auth/sessions.ts'
import type { Context, Handler } from '../kernel/context.ts'
import { ContentionError, type Db } from '../kernel/db/database.ts'
import { handlers } from './handlers.ts'
import type { ControlPlaneServices } from '../kernel/services.ts'
import { ApiError, errorResponse, fail } from '../kernel/errors.ts'
import { pageOf } from '../kernel/paging.ts'
import { createWork } from '../kernel/work.ts'
import { checkRequest, readBody, readRawBody, refusePlainCall } from './request.ts'

/** What a host knows about a call beyond the request. */
export interface CallInfo {
  clientAddress: string
  /**
   * Told of every cookie an answer sets, for a host inside a page: responses made by a browser drop
   * that header.
   */
  setCookie?: (cookie: string) => void
}

type AnyHandler = Handler<OperationId>

/** Everything about one call that can be known without credentials. */
export async function parseCall(
  id: OperationId,
  request: Request,
  params: Record<string, string>,
): Promise<Pick<Context, 'params' | 'query' | 'body' | 'page'>> {
  const operation = operationTable[id]
  try {
    const parsedParams = parseParams(operation.params ?? {}, params)
    const search = new URL(request.url).searchParams
    const { page, query } = operation.scan
      ? pageOf(operation, search)
      : { page: undefined, query: parseQuery(operation.query ?? {}, search) }
    let body: unknown
    if (operation.body) {
      const text = await readBody(request, operation.maxBody)
      body = operation.quickBody?.(text) ?? parseBody(operation.body, text, operation.upgrade)
    } else if (operation.rawBody) {
      body = await readRawBody(request, operation.maxBody)
    }
    return { params: parsedParams, query, body, page: page! } as never
  } catch (error) {
    throw error instanceof ParseError ? fail.badRequest(error.message) : error
  }
}

const inTransaction = ({ method, permission, rowless, ownTransactions }: Operation): boolean =>
  method !== 'GET' && permission !== 'public' && !rowless && !ownTransactions

/** A call that has been understood, and whose caller is known. */
export interface Call<Op extends OperationId> {
  /** What its handler gets; a transaction that is tried again gets a fresh one. */
  context: (db: Db) => Context<Op>
  responseHeaders: Headers
  /** What the last handler wanted done after the commit. */
  followUps: () => (() => Promise<void>)[]
}

/** Parses and authenticates a call. Nothing has been looked up yet. */
export async function createCall<Op extends OperationId>(
  services: ControlPlaneServices,
  id: Op,
  request: Request,
  params: Record<string, string>,
  info: CallInfo,
): Promise<Call<Op>> {
  const operation = operationTable[id]
  checkRequest(request)
  const parsed = await parseCall(id, request, params)
  const now = services.clock()
  const actor =
    operation.permission === 'public' ? undefined : await authenticate(services, request, now)
  const responseHeaders = new Headers()
  const http = { request, clientAddress: info.clientAddress, responseHeaders }
  const needs = typeof operation.permission === 'object' ? operation.permission : {}
  let followUps: (() => Promise<void>)[] = []
  const context = (db: Db) => {
    followUps = []
    const afterCommit = (work: () => Promise<void>) => void followUps.push(work)
    const work = createWork({ services, db, now, actor, needs, afterCommit })
    return Object.assign(work, { operationId: id, ...parsed, http }) as unknown as Context<Op>
  }
  return { context, responseHeaders, followUps: () => followUps }
}

/** Runs one call: parse, authenticate, handle (in one transaction if it writes), present. */
async function run(
  services: ControlPlaneServices,
  id: OperationId,
  request: Request,
  params: Record<string, string>,
  info: CallInfo,
): Promise<Response> {
  const operation = operationTable[id]
  const { context, responseHeaders, followUps } = await createCall(
    services,
    id,
    request,
    params,
    info,
  )
  const { database, feed } = services
  const handle = (db: Db) => (handlers[id] as AnyHandler)(context(db))
  const outcome = inTransaction(operation)
    ? await database.transaction(handle)
    : await handle(database.db)
  if (operation.method !== 'GET' && !operation.rowless) {
    // Whatever was written may have changed who may do what.
    services.sessions.clear()
    feed.notify()
  }
  for (const work of followUps()) await work()
  for (const cookie of responseHeaders.getSetCookie()) info.setCookie?.(cookie)
  if (outcome instanceof Response) return outcome

  const result = typeof outcome === 'function' ? await outcome() : outcome
  const { status, schema } = operation.success
  if (!schema) return new Response(null, { status, headers: responseHeaders })
  responseHeaders.set('content-type', 'application/json')
  return new Response(JSON.stringify(result), { status, headers: responseHeaders })
}

export const isExtension = (operation: Operation): boolean => operation.path.startsWith('/x/')

/** The control plane's HTTP face: the operation table as routes. */
export function createApp(services: ControlPlaneServices): Hono<{ Bindings: CallInfo }> {
  const app = new Hono<{ Bindings: CallInfo }>()
  type C = HonoContext<{ Bindings: CallInfo }>

  const answer = async (c: C, make: () => Promise<Response>): Promise<Response> => {
    const requestId = crypto.randomUUID()
    try {
      const response = await make()
      response.headers.set('x-request-id', requestId)
      return response
    } catch (error) {
      if (error instanceof ApiError) return errorResponse(error, requestId)
      services.settings.log(`${c.req.method} ${c.req.path} failed (request ${requestId})`, error)
      // Whoever asks again may well be luckier.
      const busy = error instanceof ContentionError
      return errorResponse(busy ? fail.unavailable() : fail.internal(), requestId)
    }
  }

  const methods = new Map<string, string[]>()
  for (const [id, operation] of Object.entries(operationTable) as [OperationId, Operation][]) {
    if (isExtension(operation) && !services.settings.extensions) continue
    const path = operation.path.replace(/\{(\w+)\}/g, ':$1')
    methods.set(path, [...(methods.get(path) ?? []), operation.method])
    app.on(operation.method, path, (c) =>
      answer(c, () => {
        if (operation.websocket) {
          checkRequest(c.req.raw)
          refusePlainCall(c.req.raw)
        }
        return run(services, id, c.req.raw, c.req.param() as never, c.env ?? { clientAddress: '' })
      }),
    )
  }
  for (const [path, allowed] of methods) {
    app.all(path, (c) =>
      answer(c, async () => {
        checkRequest(c.req.raw)
        throw new ApiError(fail.methodNotAllowed().template, { allow: allowed.join(', ') })
      }),
    )
  }
  app.notFound((c) =>
    answer(c, async () => {
      checkRequest(c.req.raw)
      throw fail.noRoute()
    }),
  )
  return app
}
