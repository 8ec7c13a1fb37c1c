import type { Operation, SocketOperationId } from '@steading/api'
import { callMessages, CONSOLES_MAX } from '@steading/api/rules'
import type { Caller } from '../kernel/authz/caller.ts'
import type { Context } from '../kernel/context.ts'
import { ApiError, fail } from '../kernel/errors.ts'
import type { ControlPlaneServices } from '../kernel/services.ts'
import type { SocketHandler } from '../kernel/sockets.ts'
import { type CallScheduler, createCallScheduler } from './call-scheduler.ts'
import { type CallInfo, createCall, isExtension, type Routes } from './app.ts'
import { errorResponse } from './error-response.ts'
import { checkRequest } from './request.ts'
import { watchedSocket } from './watched-socket.ts'

/**
 * Counts the open and opening sockets of each user.
 * @throws ApiError 429 for a user who has as many as allowed
 */
function createSocketCount() {
  const open = new Map<string, number>()
  const add = (user: string, number: number) => {
    const left = (open.get(user) ?? 0) + number
    if (left > 0) open.set(user, left)
    else open.delete(user)
  }
  return async (user: string, make: () => Promise<SocketHandler>): Promise<SocketHandler> => {
    if ((open.get(user) ?? 0) >= CONSOLES_MAX) {
      const { template } = fail.tooManyRequests(callMessages.tooManyConsoles)
      // The client should retry once one of them is closed.
      throw new ApiError(template, { 'retry-after': '10' })
    }
    add(user, 1)
    try {
      const handler = await make()
      const closed = () => {
        add(user, -1)
        handler.closed()
      }
      return { ...handler, closed }
    } catch (error) {
      add(user, -1)
      throw error
    }
  }
}

/**
 * Opens the WebSockets of a table of operations, with the same checks as for any call.
 * @returns a handler for the host to connect, or the response that refuses the upgrade
 */
export function createSocketOpener(
  services: ControlPlaneServices,
  { operations, handlers }: Routes,
  scheduler: CallScheduler = createCallScheduler(),
): (request: Request, info: CallInfo) => Promise<SocketHandler | Response> {
  const routes = (Object.entries(operations) as [SocketOperationId, Operation][])
    .filter(([, operation]) => operation.websocket)
    .filter(([, operation]) => services.settings.extensions || !isExtension(operation))
    .map(([id, operation]) => ({
      called: { id, operation },
      pattern: new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    }))

  const count = createSocketCount()
  return async (request, info) => {
    const path = new URL(request.url).pathname
    let leave = () => {}
    try {
      checkRequest(request, services.settings)
      const match = routes.flatMap(({ called, pattern }) => {
        const found = pattern.exec(path)
        return found ? [{ called, groups: found.groups ?? {} }] : []
      })[0]
      if (!match) throw fail.noRoute()
      const params = Object.fromEntries(
        Object.entries(match.groups).map(([name, text]) => [name, decodeURIComponent(text)]),
      )
      const { called } = match
      const enter = async (caller: Caller | undefined) => {
        leave = await scheduler.enter({
          user: caller?.actor?.userId ?? info.clientAddress,
          operation: called.id,
        })
      }
      const call = await createCall(services, called, request, params, info, { enter })
      const open = handlers[called.id] as (ctx: Context) => Promise<SocketHandler>
      const ctx = call.context(services.database.db)
      const handle = async () => open(ctx)
      if (called.operation.permission === 'public') return await handle()
      return watchedSocket(services, request, ctx.actor, await count(ctx.actor.userId, handle))
    } catch (error) {
      const known = error instanceof ApiError ? error : services.outages.recognize(error)
      if (!known) services.settings.log('opening a WebSocket failed', error)
      return errorResponse(path, known ?? fail.internal(), crypto.randomUUID())
    } finally {
      leave()
    }
  }
}
