import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ControlPlane } from '@steading/control-plane'
import { healthAnswer, isHealthPath } from './health.ts'
import { listenError } from './listening.ts'
import type { Log } from './log.ts'
import { METRICS_TYPE } from './instrumentation.ts'

/** Serves metrics and health of this server to programs without credentials. */
export interface MetricsServer {
  port: number
  close: () => Promise<void>
}

const METRICS = ['/metrics', '/x/v1/metrics']

/**
 * The path of a request. The host does not matter, and is missing in HTTP/1.0, which probes use.
 */
function pathOf({ url = '' }: IncomingMessage): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url
  return path.split('?', 1)[0]!
}

/**
 * Serves metrics and health at a separate address, which operators shield from strangers, so that
 * no database is needed to authenticate clients.
 * @param ready the control plane; metrics wait for it, health does not
 * @throws StartError if the address is not available
 */
export async function listenForMetrics(
  { host, port }: { host: string; port: number },
  ready: Promise<ControlPlane>,
  log: Log,
): Promise<MetricsServer> {
  let controlPlane: ControlPlane | undefined
  ready.then(
    (started) => (controlPlane = started),
    () => {},
  )
  const answer = async (pathname: string): Promise<Response> => {
    if (isHealthPath(pathname)) return healthAnswer(pathname, await controlPlane?.health())
    if (!METRICS.includes(pathname)) return new Response('Not Found\n', { status: 404 })
    return new Response(await (await ready).metrics(), {
      headers: { 'content-type': METRICS_TYPE },
    })
  }
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const response = await answer(pathOf(incoming)).catch((error: unknown) => {
      log('answering at --metrics-listen failed', error)
      return new Response('Internal Server Error\n', { status: 500 })
    })
    const text = await response.text()
    outgoing
      .writeHead(response.status, {
        ...Object.fromEntries(response.headers),
        'content-length': Buffer.byteLength(text),
      })
      .end(incoming.method === 'HEAD' ? undefined : text)
  }
  const server = createServer((incoming, outgoing) => void respond(incoming, outgoing))
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw listenError(error, host, port, '--metrics-listen')
  }
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
