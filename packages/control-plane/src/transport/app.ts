import {
  type ApiVersion,
  enginePartOf,
  NEWEST_API_VERSION,
  type Operation,
  type OperationId,
  type operations,
  type OperationTable,
  isAudited,
  ParseError,
  parseHeaders,
  parseParams,
  parseQuery,
  transactionOf,
  writesRows,
} from '@steading/api'
import { changeSavedMessage, databaseDamagedMessage, diskFullMessage } from '@steading/api/rules'
import { Hono, type Context as HonoContext } from 'hono'
import { authenticate, authenticateScim } from '../resources/identity/auth/authenticate.ts'
import { type Actor, callerKey } from '../kernel/authz/actor.ts'
import { requireWithinLimits } from '../kernel/authz/authorize.ts'
import type { Caller } from '../kernel/authz/caller.ts'
import type { Context, HandlerResult, Handlers, HttpCall } from '../kernel/context.ts'
import { ContentionError, type Db } from '../kernel/db/database.ts'
import type { ControlPlaneServices } from '../kernel/services.ts'
import { markStreamed } from '../kernel/download.ts'
import { requirePart } from '../kernel/engine-parts.ts'
import { ApiError, fail, unavailableForNow } from '../kernel/errors.ts'
import { authorOf } from '../kernel/events/outbox.ts'
import { pageOf } from '../kernel/paging.ts'
import type { Cause } from '../kernel/cause.ts'
import { createAuditContext } from '../kernel/audit/audit-context.ts'
import { createWork } from '../kernel/work.ts'
import { type CallScheduler, createCallScheduler } from './call-scheduler.ts'
import { type CallAudit, createCallAudit, createAnonymousEntryLimit } from './audit.ts'
import { holdingBody, refuseLargeBody } from './body.ts'
import { errorResponse } from './error-response.ts'
import { createEntityTags, type Tagged } from './entity-tags.ts'
import { createPrecondition, findReplaced, type Replaced } from './preconditions.ts'
import {
  apiVersionOf,
  changeReasonOf,
  checkRequest,
  queryOf,
  readBody,
  refusePlainCall,
} from './request.ts'
import { type JsonAnswer, presentResult, toResponse } from './response.ts'
import { OperationRouter } from './router.ts'
import { watchedBody } from './watched-body.ts'

/** The host's knowledge of a call beyond the request. */
export interface CallInfo {
  clientAddress: string
  /**
   * Called with every cookie that an answer sets. A host inside a page needs this, because a
   * `Response` in a browser drops the header `set-cookie`.
   */
  setCookie?: (cookie: string) => void
  /**
   * Turns an answer in JSON into a response. A host that adds headers or compresses answers does so
   * here, because changing a `Response` takes longer than making one.
   */
  respond?: (answer: JsonAnswer) => Response | Promise<Response>
}

/** A table of operations and their handlers. */
export interface Routes {
  operations: OperationTable
  handlers: Handlers<typeof operations>
}

/** An operation with its handler. */
export interface Called<Op extends OperationId> {
  id: Op
  operation: Operation
  /** The read that `if-match` refers to. */
  replaced?: Replaced
}

type AnyHandler = (ctx: Context) => Promise<HandlerResult<unknown> | Response>

/** Parses the parts of a call that need no credentials. */
async function parseCall(
  operation: Operation,
  request: Request,
  params: Record<string, string>,
  version: ApiVersion | undefined,
): Promise<Pick<Context, 'params' | 'query' | 'headers' | 'body' | 'page'>> {
  try {
    const parsedParams = parseParams(operation.params ?? {}, params)
    const search = queryOf(request, operation, version)
    const { page, query } = operation.scan
      ? pageOf(operation, search)
      : { page: undefined, query: parseQuery(operation.query ?? {}, search) }
    const headers = parseHeaders(operation.headers ?? {}, request.headers)
    const body = await readBody(request, operation, version)
    return { params: parsedParams, query, headers, body, page: page! } as Pick<
      Context,
      'params' | 'query' | 'headers' | 'body' | 'page'
    >
  } catch (error) {
    throw error instanceof ParseError ? fail.badRequest(error.message) : error
  }
}

const requiredActionsOf = ({ permission }: Operation) =>
  typeof permission === 'object' ? permission : {}

/** A call that has been parsed and authenticated. */
export interface Call<Op extends OperationId> {
  /** Makes the context for its handler; each attempt of a transaction gets a new one. */
  context: (db: Db) => Context<Op>
  http: HttpCall
  /** The headers set by the handler, if any. */
  responseHeaders: () => Headers | undefined
  /** The caller; undefined for calls that need no credentials, and for callers other than users. */
  actor: Actor | undefined
  /** The writes that the last attempt of the handler deferred to the end of its transaction. */
  lastWrites: () => (() => Promise<void>)[]
  /** The work that the last attempt of the handler deferred until after the commit. */
  followUps: () => (() => Promise<void>)[]
}

/** The caller, or the 401 for a call without valid credentials. */
async function callerOf(
  services: ControlPlaneServices,
  { permission }: Operation,
  request: Request,
  now: Date,
  { clientAddress }: CallInfo,
): Promise<Caller | ApiError> {
  const caller = permission === 'scim' ? authenticateScim : authenticate
  try {
    return await caller(services, request, now, true, clientAddress)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/**
 * Parses and authenticates a call. Nothing has been looked up yet.
 * @param enter waits until a call of this caller may begin, before its body is read
 */
export async function createCall<Op extends OperationId>(
  services: ControlPlaneServices,
  { id, operation, replaced }: Called<Op>,
  request: Request,
  params: Record<string, string>,
  info: CallInfo,
  {
    audit,
    enter,
  }: { audit?: CallAudit; enter?: (caller: Caller | undefined) => Promise<void> } = {},
): Promise<Call<Op>> {
  checkRequest(request, services.settings)
  const version = apiVersionOf(request)
  const now = services.clock()
  const caller =
    operation.permission === 'public'
      ? undefined
      : await callerOf(services, operation, request, now, info)
  const parse = () => parseCall(operation, request, params, version)
  if (caller instanceof ApiError) {
    refuseLargeBody(request, caller)
    await holdingBody(request, () => caller, parse)
    throw caller
  }
  if (audit) audit.caller = caller
  if (caller?.actor) requireWithinLimits(caller.actor, operation)
  await enter?.(caller)
  const parsed = caller ? await parse() : await holdingBody(request, fail.unavailable, parse)
  if (audit) audit.args = parsed
  const { actor } = caller ?? {}
  const author = caller && authorOf(caller)
  const who = { services, now, actor, author }
  let responseHeaders: Headers | undefined
  const apiVersion = version ?? NEWEST_API_VERSION
  const http: HttpCall = {
    request,
    apiVersion,
    precondition: createPrecondition(
      services,
      replaced,
      parsed,
      { request, apiVersion },
      (db, read, args) => {
        const requiredActions = requiredActionsOf(read.operation)
        const nothing = () => {}
        const work = createWork({
          ...who,
          db,
          requiredActions,
          atEnd: nothing,
          afterCommit: nothing,
        })
        return Object.assign(work, { operationId: read.id, ...args, http }) as unknown as Context
      },
    ),
    clientAddress: info.clientAddress,
    credential: caller?.credential,
    scim: caller && 'scim' in caller ? caller.scim : undefined,
    // Created on demand, because most handlers set none and creating them costs time.
    get responseHeaders() {
      return (responseHeaders ??= new Headers())
    },
  }
  const cause: Cause = {
    operationId: id,
    requestId: audit?.requestId ?? null,
    authMethod: caller?.credential.method ?? null,
    reason: operation.versioned ? changeReasonOf(request) : undefined,
  }
  const requiredActions = requiredActionsOf(operation)
  let lastWrites: (() => Promise<void>)[] = []
  let followUps: (() => Promise<void>)[] = []
  const context = (db: Db) => {
    lastWrites = []
    followUps = []
    const atEnd = (write: () => Promise<void>) => void lastWrites.push(write)
    const afterCommit = (work: () => Promise<void>) => void followUps.push(work)
    const context = createAuditContext()
    if (audit) audit.context = context
    const work = createWork({
      ...who,
      db,
      requiredActions,
      atEnd,
      afterCommit,
      audit: context,
      cause,
    })
    return Object.assign(work, { operationId: id, ...parsed, http }) as unknown as Context<Op>
  }
  return {
    context,
    http,
    responseHeaders: () => responseHeaders,
    actor: caller?.actor,
    lastWrites: () => lastWrites,
    followUps: () => followUps,
  }
}

/** Whether an operation answers with bytes of its own, which may come piece by piece. */
const isStreamed = ({ success: { contentType } }: Operation): boolean =>
  contentType !== undefined && !contentType.endsWith('json')

/** Whether a call is refused while the disk of the database is full. */
const needsRoom = (operation: Operation): boolean =>
  writesRows(operation) && operation.method !== 'DELETE' && !operation.evenIfFull

/** The parts that all calls of an app share. */
interface Shared {
  services: ControlPlaneServices
  tagged: Tagged
  scheduler: CallScheduler
}

/** Runs one call: parse, authenticate, handle (in one transaction if it writes), present. */
async function run(
  { services, tagged, scheduler }: Shared,
  called: Called<OperationId>,
  handler: AnyHandler,
  request: Request,
  params: Record<string, string>,
  info: CallInfo,
  audit: CallAudit | undefined,
): Promise<Response | JsonAnswer> {
  const { operation } = called
  let leave = () => {}
  const enter = async (caller: Caller | undefined) => {
    leave = await scheduler.enter({
      user: caller?.actor?.userId ?? info.clientAddress,
      // A transaction that writes waits for others anyway.
      operation: writesRows(operation) ? undefined : called.id,
    })
    // The client is gone, so nobody would read the answer.
    if (request.signal.aborted) throw fail.unavailable()
  }
  try {
    const call = await createCall(services, called, request, params, info, { audit, enter })
    // A public answer is hardly longer than a tag.
    if (request.method !== 'GET' || writesRows(operation) || operation.permission === 'public') {
      return await handleCall(services, called, handler, call, info, audit)
    }
    const read = { operationId: called.id, request, caller: call.actor && callerKey(call.actor) }
    const answerTo = (its: typeof call) => handleCall(services, called, handler, its, info)
    return await tagged({ ...read, version: call.http.apiVersion }, async () => {
      const answer = await answerTo(call)
      // Permission for the resources in an answer may be revoked while it is sent.
      const isWatched = answer instanceof Response && typeof operation.permission === 'object'
      if (!isWatched || !call.actor) return answer
      return watchedBody(answer, {
        actor: call.actor,
        authenticate: () => authenticate(services, request, services.clock(), false),
        async repeat() {
          const again = await createCall(services, called, request, params, info)
          return toResponse(await answerTo(again))
        },
        outages: services.outages,
      })
    })
  } finally {
    leave()
  }
}

/** Handles a call that has been parsed and authenticated. */
async function handleCall(
  services: ControlPlaneServices,
  called: Called<OperationId>,
  handler: AnyHandler,
  { context, http, responseHeaders, lastWrites, followUps }: Call<OperationId>,
  info: CallInfo,
  audit?: CallAudit,
): Promise<Response | JsonAnswer> {
  const { database, feed, outages } = services
  const part = enginePartOf(called.id)
  if (part) requirePart(services.engine, part)
  const roomNeeded = needsRoom(called.operation)
  if (roomNeeded && outages.lasts('full')) throw fail.insufficientCapacity(diskFullMessage)
  const transaction = transactionOf(called.operation)
  const handle = async (db: Db) => {
    // Compared before the rows change, but refused after the handler's own refusals: a caller
    // without permission gets that error, whatever the tag.
    const refusal = transaction === 'one' ? await http.precondition(db) : undefined
    const result = await handler(context(db))
    if (refusal) throw refusal
    await audit?.succeeded(db)
    for (const write of lastWrites()) await write()
    return result
  }
  const run = {
    none: () => handle(database.db),
    snapshot: () => database.snapshot(handle),
    own: () => handle(database.db),
    one: () => database.transaction(handle),
    concurrent: () => database.concurrently(handle),
  }
  const outcome = await run[transaction]().catch(async (error: unknown) => {
    // This call may be the first to find the disk full. If it is allowed on a full disk, it is
    // repeated with the space of the reserve.
    if (roomNeeded || !(await outages.makeRoom(error))) throw error
    return run[transaction]()
  })
  if (audit) audit.committed = true
  if (writesRows(called.operation)) feed.notify()
  for (const work of followUps()) await work()
  const headers = responseHeaders()
  for (const cookie of headers?.getSetCookie() ?? []) info.setCookie?.(cookie)
  if (outcome instanceof Response) return outcome

  const result = typeof outcome === 'function' ? await outcome() : outcome
  return presentResult(called.operation.success, result, http.apiVersion, headers)
}

export const isExtension = (operation: Operation): boolean => operation.path.startsWith('/x/')

/** The HTTP API of the control plane: a table of operations as routes. */
export function createApp(
  services: ControlPlaneServices,
  { operations, handlers }: Routes,
  scheduler: CallScheduler = createCallScheduler(),
): Hono<{ Bindings: CallInfo }> {
  const router: Hono['router'] = new OperationRouter()
  const app = new Hono<{ Bindings: CallInfo }>({ router })
  const shared = { services, tagged: createEntityTags(services), scheduler }
  type C = HonoContext<{ Bindings: CallInfo }>

  const anonymousEntries = createAnonymousEntryLimit()

  /** The error of the contract to answer a call with. */
  const refusalOf = (c: C, error: unknown, requestId: string): ApiError => {
    const known = error instanceof ApiError ? error : services.outages.recognize(error)
    if (known) return known
    services.settings.log(`${c.req.method} ${c.req.path} failed (request ${requestId})`, error)
    // A request that failed because of contention may succeed when the client repeats it.
    if (error instanceof ContentionError) return unavailableForNow()
    // Damaged values may be read without an error of the database.
    if (services.outages.lasts('damaged')) return fail.unavailable(databaseDamagedMessage)
    return fail.internal()
  }

  const answer = async (
    c: C,
    id: OperationId | undefined,
    make: (requestId: string) => Promise<Response | JsonAnswer>,
  ): Promise<Response> => {
    const requestId = crypto.randomUUID()
    const ended = services.measures.called(id)
    const made = await make(requestId).catch((error: unknown) => {
      const refusal = refusalOf(c, error, requestId)
      for (const cookie of refusal.cookies) c.env?.setCookie?.(cookie)
      return errorResponse(c.req.path, refusal, requestId)
    })
    ended(made.status)
    if (made instanceof Response) {
      made.headers.set('x-request-id', requestId)
      const operation = id && operations[id]
      if (operation && made.status < 400 && isStreamed(operation)) markStreamed(made.headers)
      if (!made.headers.has('cache-control')) made.headers.set('cache-control', 'no-store')
      return made
    }
    made.headers['x-request-id'] = requestId
    made.headers['cache-control'] ??= 'no-store'
    return c.env?.respond?.(made) ?? toResponse(made)
  }

  const served = (Object.entries(operations) as [OperationId, Operation][]).filter(
    ([, operation]) => services.settings.extensions || !isExtension(operation),
  )
  const methods = new Set(served.map(([, { method }]) => method))
  /** HEAD is routed like GET, without the body, unless an operation has the method HEAD itself. */
  const heads = new Map<string, Called<OperationId>>()
  for (const [id, operation] of served) {
    if (operation.method === 'HEAD') heads.set(operation.path, { id, operation })
  }
  for (const [id, operation] of served) {
    const replaced = findReplaced({ operations, handlers }, operation)
    const path = operation.path.replace(/\{(\w+)\}/g, ':$1')
    app.on(operation.method, path, (c) =>
      answer(c, id, async (requestId) => {
        const request = c.req.raw
        if (operation.websocket) {
          checkRequest(request, services.settings)
          throw refusePlainCall(request)
        }
        const head = request.method === 'HEAD' ? heads.get(operation.path) : undefined
        const called = head ?? { id, operation, replaced }
        const info = c.env ?? { clientAddress: '' }
        const handler = handlers[called.id] as AnyHandler
        const params: Record<string, string> = c.req.param()
        if (!isAudited(called.operation)) {
          return run(shared, called, handler, request, params, info, undefined)
        }
        const origin = { requestId, clientAddress: info.clientAddress }
        const audit = createCallAudit(services, anonymousEntries, called, request, origin)
        try {
          return await run(shared, called, handler, request, params, info, audit)
        } catch (error) {
          const refusal = refusalOf(c, error, requestId)
          await audit.refused(refusal)
          const isSaved = audit.committed && services.outages.recognize(error) !== undefined
          throw isSaved ? unavailableForNow(changeSavedMessage) : refusal
        }
      }),
    )
  }
  app.notFound((c) =>
    answer(c, undefined, async () => {
      checkRequest(c.req.raw, services.settings)
      const allowed = [...methods].filter(
        (method) => router.match(method, c.req.path)[0].length > 0,
      )
      if (allowed.length === 0) throw fail.noRoute()
      throw new ApiError(fail.methodNotAllowed().template, { allow: allowed.join(', ') })
    }),
  )
  return app
}
