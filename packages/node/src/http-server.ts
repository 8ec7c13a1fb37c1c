import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https'
import type { AddressInfo, BlockList, Socket } from 'node:net'
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import {
  DOT_SEGMENTS,
  errors,
  isOidcStepPath,
  isSamlLoginPath,
  plainTarget,
  SIGN_IN_PROBLEM,
} from '@steading/api/rules'
import type { ControlPlane } from '@steading/control-plane'
import { errorMessage } from '@steading/files'
import { compressed, respondTo } from './compression.ts'
import { isDownload, sendDownload } from './downloads.ts'
import { StartError } from './errors.ts'
import { listenError, takeSocketPath } from './listening.ts'
import { giveBack } from './give-back.ts'
import { createAdmission, type Admission } from './admission.ts'
import type { Log, ServerLog } from './log.ts'
import type { HostInstrumentation } from './instrumentation.ts'
import type { Docs } from './docs.ts'
import { MAX_HEADER_BYTES, refuseWhatIsNotHttp } from './not-http.ts'
import { isOverTls, trustConnection, whatWasAsked } from './proxies.ts'
import { refusal } from './refusals.ts'
import { healthAnswer, isHealthPath } from './health.ts'
import { destination } from './routes.ts'
import { createSocketHost, wantsSocket } from './sockets.ts'
import { securityHeaders, type StaticSite } from './static.ts'

/**
 * Longer than load balancers keep idle connections (60 s), so that the load balancer closes them
 * first.
 */
const KEEP_ALIVE_MS = 65_000
const HEADERS_MS = 20_000
/** Timeout of a whole request; enough for a large body over a slow connection. */
const REQUEST_MS = 300_000
/** Maximum number of connections. Each takes some ten kilobytes. */
const MAX_CONNECTIONS = 10_000
/**
 * HSTS max-age: half a year, in seconds. Browsers that reached a host over TLS use only TLS for it.
 * A later header over TLS can revoke this, but an expired certificate cannot.
 */
const STRICT_TRANSPORT = 'max-age=15552000'
/** Milliseconds that running requests may take at shutdown before they are aborted. */
const DRAIN_MS = 2_500

export interface HttpServer {
  /**
   * Listens on another address.
   * @param tls to use TLS there
   * @returns the port, for a free one
   * @throws StartError if the address is not available
   */
  listen: (host: string, port: number, tls?: TlsOptions) => Promise<number>
  /**
   * Listens on a Unix socket for a trusted proxy. The owner and the group of the server may use it.
   * @throws StartError if another server or another file has its path
   */
  listenForProxy: (path: string) => Promise<void>
  /** Stops accepting requests, finishes the running ones, and ends streams and sockets. */
  close: () => Promise<void>
}

/**
 * Whether a browser, rather than a program, has delivered an answer of an identity provider that
 * was refused, or cannot be sent to the provider.
 */
const isRefusedSignIn = (request: Request, path: string, answer: Response): boolean =>
  answer.status >= 400 &&
  (request.method === 'POST' ? isSamlLoginPath(path) : isOidcStepPath(path)) &&
  (request.headers.get('accept') ?? '').includes('text/html')

/** The login page with an error for people. */
async function asPage(site: StaticSite, request: Request, answer: Response): Promise<Response> {
  const { status, headers } = answer
  const { message, request_id: requestId } = (await answer.json()) as Record<string, string>
  const content = JSON.stringify({ status, message, requestId })
  const page = site.pageWith(request, status, { name: SIGN_IN_PROBLEM, content })
  for (const name of ['x-request-id', 'retry-after']) {
    const value = headers.get(name)
    if (value !== null) page.headers.set(name, value)
  }
  return page
}

/**
 * Creates the handler of requests: console files, and the control plane. Possible streams and
 * downloads go through `long`.
 */
function createHandler(
  ready: Promise<ControlPlane>,
  admission: Admission,
  site: StaticSite,
  docs: Docs,
) {
  const own = securityHeaders()
  let started = false
  ready.then(
    () => (started = true),
    () => {},
  )
  return async (
    request: Request,
    clientAddress: string,
    long: (response: Response) => Response,
  ): Promise<Response> => {
    const start = request.url.indexOf('/', 'https://'.length)
    const end = request.url.indexOf('?', start)
    const path = request.url.slice(start, end < 0 ? undefined : end)
    const to = destination(request.method, path, request.headers.get('accept'))
    // The console's files are public, and the same for every cloud.
    if (to === 'asset') return site.asset(path, request)
    if (to === 'docs') return docs(path, request)
    const refused = await admission.refuse(clientAddress, path)
    if (refused) return refused
    if (to === 'unknown-page') return site.page(request)
    if (isHealthPath(path) && !started) return healthAnswer(path)
    const controlPlane = await ready
    let response: Response
    if (to === 'page') {
      const redirect = await controlPlane.consolePage(request)
      if (!redirect) return site.page(request)
      response = redirect
    } else {
      let responded = false
      const answer = await controlPlane.fetch(request, {
        clientAddress,
        respond(json) {
          responded = true
          return respondTo(request, json, own)
        },
      })
      if (responded) return answer
      response = isRefusedSignIn(request, path, answer)
        ? await asPage(site, request, answer)
        : await compressed(request, answer)
    }
    for (const [name, value] of Object.entries(own)) response.headers.set(name, value)
    return long(response)
  }
}

/**
 * The request with the client's original URL, before any proxy. It wraps the adapter's request,
 * because creating another would cost more than everything else here.
 */
function asAsked(request: Request, scheme: string, host: string | undefined): Request {
  const prefix = `${scheme}://${host}`
  if (host === undefined || request.url.startsWith(`${prefix}/`)) return request
  const path = request.url.slice(request.url.indexOf('/', 'https://'.length))
  return Object.defineProperty(request, 'url', { value: prefix + path })
}

/** Threshold in bytes; chunks of images are larger. */
const LARGE_BODY = 64 * 1024

/** All bytes of a body, copied once; the memory of its chunks is freed. */
async function bytesOf(incoming: IncomingMessage): Promise<ArrayBuffer> {
  const chunks: Buffer<ArrayBuffer>[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const bytes = Buffer.allocUnsafeSlow(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
    giveBack(chunk)
  }
  return bytes.buffer
}

/**
 * Reads a large body without the adapter, which would copy it once more: garbage from uploads
 * determines how often memory is collected.
 */
function readingOnce(request: Request, incoming: IncomingMessage): Request {
  if (!(Number(incoming.headers['content-length']) >= LARGE_BODY)) return request
  return Object.defineProperty(request, 'arrayBuffer', { value: () => bytesOf(incoming) })
}

/** Response to an error outside of the control plane. */
function failure(error: unknown, log: Log): Response {
  if (error instanceof RequestError) return refusal(errors.badRequest(errorMessage(error)))
  const requestId = crypto.randomUUID()
  log(`a request failed (request ${requestId})`, error)
  return refusal(errors.internal(), requestId)
}

/**
 * The HTTP and WebSocket server.
 * @param ready the control plane; earlier requests wait for it
 * @param trusted networks of trusted reverse proxies
 */
export function createHttpServer(
  ready: Promise<ControlPlane>,
  site: StaticSite,
  docs: Docs,
  log: ServerLog,
  measures: Pick<HostInstrumentation, 'downloaded'>,
  trusted?: BlockList,
): HttpServer {
  const { problem } = log
  const admission = createAdmission(ready, problem)
  const handle = createHandler(ready, admission, site, docs)
  const sockets = createSocketHost(ready, admission, problem, trusted)
  /** Open-ended responses. */
  const streams = new Set<ServerResponse>()
  /** Connections without a request so far; browsers open some in advance. */
  const silent = new Set<Socket>()

  const listener = getRequestListener(
    async (request, env) => {
      const { incoming, outgoing } = env as HttpBindings
      // The adapter has resolved the segments of the URL of `request`.
      if (plainTarget(incoming.url ?? '') === undefined) {
        return refusal(errors.badRequest(DOT_SEGMENTS))
      }
      const { clientAddress, scheme, host } = whatWasAsked(incoming, trusted)
      const asked = readingOnce(asAsked(request, scheme, host), incoming)
      let download: Response | undefined
      const response = await handle(asked, clientAddress, (long) => {
        if (isDownload(long)) download = long
        if (long.headers.get('content-type')?.startsWith('text/event-stream')) {
          streams.add(outgoing)
          const leave = admission.watch(clientAddress, () => outgoing.end())
          outgoing.once('close', () => {
            streams.delete(outgoing)
            leave()
          })
        }
        return long
      })
      // A TLS proxy sets this header for its hosts itself.
      if (isOverTls(incoming)) response.headers.set('strict-transport-security', STRICT_TRANSPORT)
      if (!download) return response
      measures.downloaded(await sendDownload(request, download, outgoing, log))
      return RESPONSE_ALREADY_SENT
    },
    { errorHandler: (error) => failure(error, problem) },
  )
  const limits: ServerOptions = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false,
    shouldUpgradeCallback: wantsSocket,
  }
  const watchSilence = (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  }

  /** A TLS server has two sockets per connection; the inner one exists after the handshake. */
  function createOne(tls: TlsOptions | undefined): Server {
    const server = tls ? createTlsServer({ ...limits, ...tls }) : createServer(limits)
    server.maxConnections = MAX_CONNECTIONS
    refuseWhatIsNotHttp(server)
    // A target that is refused stays as it is until then.
    const simplify = (incoming: IncomingMessage) => {
      incoming.url = plainTarget(incoming.url ?? '') ?? incoming.url
    }
    server.on('request', (incoming, outgoing) => {
      silent.delete(incoming.socket)
      simplify(incoming)
      void listener(incoming, outgoing)
    })
    server.on('upgrade', (incoming, socket, head) => {
      silent.delete(incoming.socket)
      simplify(incoming)
      void sockets.upgrade(incoming, socket, head)
    })
    if (!tls) return server.on('connection', watchSilence)
    /** Connections during their TLS handshake, by client address. */
    const greeting = new Map<string, Socket>()
    const addressOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
    server.on('connection', (socket: Socket) => {
      const address = addressOf(socket)
      greeting.set(address, socket)
      watchSilence(socket)
      socket.once('close', () => {
        if (greeting.get(address) === socket) greeting.delete(address)
      })
    })
    server.on('secureConnection', (socket: Socket) => {
      const outer = greeting.get(addressOf(socket))
      if (outer) silent.delete(outer)
      watchSilence(socket)
    })
    return server
  }

  const servers: Server[] = []

  return {
    async listen(host, port, tls) {
      const server = createOne(tls)
      try {
        server.listen(port, host)
        await once(server, 'listening')
      } catch (error) {
        throw listenError(error, host, port, tls ? '--tls-port' : '--port')
      }
      servers.push(server)
      return (server.address() as AddressInfo).port
    },

    async listenForProxy(path) {
      await takeSocketPath(path)
      const server = createOne(undefined)
      server.prependListener('connection', trustConnection)
      try {
        server.listen(path)
        await once(server, 'listening')
        await chmod(path, 0o660)
      } catch (error) {
        server.close()
        throw new StartError(`cannot listen on ${path} of --proxy-socket: ${errorMessage(error)}`)
      }
      servers.push(server)
    },

    async close() {
      const closed = Promise.all(servers.map((server) => once(server, 'close')))
      for (const server of servers) server.close()
      sockets.close()
      for (const outgoing of streams) outgoing.end()
      for (const socket of silent) socket.destroy()
      // Connections become idle one by one as their requests finish.
      const idle = setInterval(() => {
        for (const server of servers) server.closeIdleConnections()
      }, 20)
      const late = setTimeout(() => {
        for (const server of servers) server.closeAllConnections()
        sockets.terminate()
      }, DRAIN_MS)
      await closed
      clearInterval(idle)
      clearTimeout(late)
    },
  }
}
