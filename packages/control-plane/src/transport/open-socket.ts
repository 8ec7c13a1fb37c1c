import type { Operation, SocketOperationId } from '@steading/api'
import type { Handler } from '../kernel/context.ts'
import { ApiError, fail } from '../kernel/errors.ts'
import type { ControlPlaneServices } from '../kernel/services.ts'
import type { SocketHandler } from '../kernel/sockets.ts'
import { type CallInfo, createCall, isExtension, type Routes } from './app.ts'
import { errorResponse } from './error-response.ts'
import { checkRequest } from './request.ts'
import { watchedSocket } from './watched-socket.ts'

/**
 * Opens the WebSockets of a table of operations, with the same checks as for any call.
 * @returns a handler for the host to connect, or the response that refuses the upgrade
 */
export function createSocketOpener(
  services: ControlPlaneServices,
  { operations, handlers }: Routes,
): (request: Request, info: CallInfo) => Promise<SocketHandler | Response> {
  const routes = (Object.entries(operations) as [SocketOperationId, Operation][])
    .filter(([, operation]) => operation.websocket)
    .filter(([, operation]) => services.settings.extensions || !isExtension(operation))
    .map(([id, operation]) => ({
      called: { id, operation },
      pattern: new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    }))

  return async (request, info) => {
    const path = new URL(request.url).pathname
    try {
      checkRequest(request)
      const match = routes.flatMap(({ called, pattern }) => {
        const found = pattern.exec(path)
        return found ? [{ called, groups: found.groups ?? {} }] : []
      })[0]
      if (!match) throw fail.noRoute()
      const params = Object.fromEntries(
        Object.entries(match.groups).map(([name, text]) => [name, decodeURIComponent(text)]),
      )
      const { called } = match
      const call = await createCall(services, called, request, params, info)
      const open = handlers[called.id] as Handler<SocketOperationId>
      const ctx = call.context(services.database.db)
      const socket = await open(ctx as never)
      return called.operation.permission === 'public'
        ? socket
        : watchedSocket(services, request, ctx.actor, socket)
    } catch (error) {
      const known = error instanceof ApiError ? error : services.outages.notice(error)
      if (!known) services.settings.log('opening a WebSocket failed', error)
      return errorResponse(path, known ?? fail.internal(), crypto.randomUUID())
    }
  }
}
