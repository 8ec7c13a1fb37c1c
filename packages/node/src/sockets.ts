import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import type { Duplex } from 'node:stream'
import { operationTable } from '@steading/api'
import { DOT_SEGMENTS, errors, plainTarget } from '@steading/api/rules'
import type { ControlPlane, Socket, SocketHandler } from '@steading/control-plane'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Admission } from './admission.ts'
import type { Log } from './log.ts'
import { type Asked, whatWasAsked } from './proxies.ts'
import { endWith, refusal } from './refusals.ts'

/** Maximum frame size from a client in bytes: keystrokes and pasted text. */
const MAX_PAYLOAD = 1024 * 1024
/** Bytes that a client may lag behind before its connection is closed. */
const MAX_BUFFERED = 16 * 1024 * 1024
/** Milliseconds after which a client that has not answered a ping is disconnected. */
const PING_MS = 30_000
/** Maximum length of the text in a close frame in bytes. */
const MAX_REASON = 123

/** The paths of the operations that open a WebSocket. */
const socketPaths = Object.values(operationTable)
  .filter(({ websocket }) => websocket)
  .map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`))

/** Sixteen bytes in base64. */
const keyPattern = /^[A-Za-z0-9+/]{22}==$/

/**
 * Whether a request is a valid WebSocket upgrade. Other requests are handled as plain HTTP, and the
 * control plane returns the error.
 */
export function wantsSocket({ headers, method, url = '' }: IncomingMessage): boolean {
  const target = plainTarget(url) ?? url
  return (
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['sec-websocket-version'] === '13' &&
    keyPattern.test(headers['sec-websocket-key'] ?? '') &&
    socketPaths.some((path) => path.test(target.split('?', 1)[0]!))
  )
}

/** @returns undefined if the target or the host is not valid in a URL */
function toRequest({ rawHeaders, url }: IncomingMessage, asked: Asked): Request | undefined {
  const target = `${asked.scheme}://${asked.host}${url}`
  if (asked.host === undefined || !URL.canParse(target)) return undefined
  const copied = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    copied.append(rawHeaders[index]!, rawHeaders[index + 1]!)
  }
  return new Request(target, { headers: copied })
}

/** Truncates text to fit a close frame, between characters. */
function closeReason(text: string): string {
  let reason = text
  while (Buffer.byteLength(reason) > MAX_REASON) reason = reason.slice(0, -1)
  return reason
}

function connect(webSocket: WebSocket, handler: SocketHandler): void {
  let alive = true
  const pings = setInterval(() => {
    // No pong is read from a client whose input waits.
    if (webSocket.isPaused) alive = true
    if (!alive) return webSocket.terminate()
    alive = false
    webSocket.ping()
  }, PING_MS)
  webSocket.on('pong', () => void (alive = true))
  webSocket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) void handler.message(data)
    else handler.text(data.toString())
  })
  // Invalid frames and lost connections also emit a close, which is handled.
  webSocket.on('error', () => {})
  webSocket.on('close', () => {
    clearInterval(pings)
    handler.closed()
  })
  const socket: Socket = {
    send(data) {
      if (webSocket.readyState !== webSocket.OPEN) return
      if (webSocket.bufferedAmount > MAX_BUFFERED) webSocket.terminate()
      else webSocket.send(data, () => handler.sent())
    },
    close(code, reason) {
      // The answer to the close frame comes after what the client has sent before.
      webSocket.resume()
      webSocket.close(code, reason && closeReason(reason))
    },
    buffered: () => webSocket.bufferedAmount,
    pause: () => webSocket.pause(),
    resume: () => webSocket.resume(),
  }
  handler.open(socket)
}

export interface SocketHost {
  /** Handles an upgrade request. */
  upgrade: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>
  /** Sends a close frame to all clients. */
  close: () => void
  /** Closes the connections of clients that have not answered the close frame. */
  terminate: () => void
}

/** WebSockets of a control plane. */
export function createSocketHost(
  ready: Promise<ControlPlane>,
  admission: Admission,
  log: Log,
  trusted?: BlockList,
): SocketHost {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PAYLOAD,
    perMessageDeflate: false,
    // One frame per client and event-loop turn: a packet may contain thousands of them.
    allowSynchronousEvents: false,
  })
  let closing = false

  const open = async (
    incoming: IncomingMessage,
    asked: Asked,
  ): Promise<SocketHandler | Response> => {
    if (closing) return refusal(errors.unavailable())
    const refused = await admission.refuse(asked.clientAddress, incoming.url ?? '')
    if (refused) return refused
    if (plainTarget(incoming.url ?? '') === undefined) {
      return refusal(errors.badRequest(DOT_SEGMENTS))
    }
    const request = toRequest(incoming, asked)
    if (!request) return refusal(errors.badRequest('Invalid host header'))
    return (await ready).openSocket(request, { clientAddress: asked.clientAddress })
  }

  return {
    async upgrade(incoming, socket, head) {
      // A client that disconnects early is not logged.
      socket.on('error', () => {})
      const asked = whatWasAsked(incoming, trusted)
      let outcome: SocketHandler | Response
      try {
        outcome = await open(incoming, asked)
      } catch (error) {
        log(`opening the socket ${incoming.url} failed`, error)
        outcome = refusal(errors.internal())
      }
      if (outcome instanceof Response) return endWith(socket, outcome)
      const handler = outcome
      if (socket.destroyed) return handler.closed()
      let connected = false
      server.handleUpgrade(incoming, socket, head, (webSocket) => {
        connected = true
        connect(webSocket, handler)
        const leave = admission.watch(asked.clientAddress, () => webSocket.terminate())
        webSocket.once('close', leave)
      })
      // A refused handshake has been answered by now.
      if (!connected) handler.closed()
    },
    close() {
      closing = true
      for (const client of server.clients) client.close(1001, 'the server is shutting down')
    },
    terminate() {
      for (const client of server.clients) client.terminate()
    },
  }
}
