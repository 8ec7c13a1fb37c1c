import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
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
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (isHealthPath(pathname)) return healthAnswer(pathname, await controlPlane?.health())
    if (!METRICS.includes(pathname)) return new Response('Not Found\n', { status: 404 })
    return new Response(await (await ready).metrics(), {
      headers: { 'content-type': METRICS_TYPE },
    })
  }
  const listener = getRequestListener(answer, {
    errorHandler(error) {
      log('answering at --metrics-listen failed', error)
      return new Response('Internal Server Error\n', { status: 500 })
    },
  })
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
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
