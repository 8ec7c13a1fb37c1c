import { type Operation, type OperationId, operationTable } from '@steading/api'
import { openSerialConsole } from '../resources/instances/serial-console.ts'
import type { ControlPlaneServices } from '../kernel/services.ts'
import { type CallInfo, createCall, isExtension } from './app.ts'
import { ApiError, errorResponse, fail } from '../kernel/errors.ts'
import { checkRequest } from './request.ts'
import type { SocketHandler } from '../kernel/sockets.ts'

type SocketOperation = Parameters<typeof openSerialConsole>[0]['operationId']

const routes = (Object.entries(operationTable) as [OperationId, Operation][])
  .filter(([, operation]) => operation.websocket)
  .map(([id, operation]) => ({
    id: id as SocketOperation,
    operation,
    pattern: new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }))

/** Opens a WebSocket route: same checks as any call, but the answer is a conversation. */
export async function openSocket(
  services: ControlPlaneServices,
  request: Request,
  info: CallInfo,
): Promise<SocketHandler | Response> {
  try {
    checkRequest(request)
    const path = new URL(request.url).pathname
    const match = routes.flatMap(({ id, operation, pattern }) => {
      if (isExtension(operation) && !services.settings.extensions) return []
      const groups = pattern.exec(path)?.groups
      return groups ? [{ id, params: groups }] : []
    })[0]
    if (!match) throw fail.noRoute()
    const params = Object.fromEntries(
      Object.entries(match.params).map(([name, text]) => [name, decodeURIComponent(text)]),
    )
    const call = await createCall(services, match.id, request, params, info)
    return await openSerialConsole(call.context(services.database.db))
  } catch (error) {
    const known = error instanceof ApiError ? error : undefined
    if (!known) services.settings.log('opening a WebSocket failed', error)
    return errorResponse(known ?? fail.internal(), crypto.randomUUID())
  }
}
