import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { consoleContentPolicy, loadSite } from '../../packages/node/src/static.ts'

const directory = join(import.meta.dirname, '../../packages/demo/dist')

/** Serves the demo on a free port, as any static file server would. */
export async function serveDemo(): Promise<{ url: string; close: () => void }> {
  const policy = `${consoleContentPolicy}; script-src 'self' 'wasm-unsafe-eval'`
  const site = loadSite(directory, policy)
  const listener = getRequestListener((request) => {
    const path = new URL(request.url).pathname
    if (path.startsWith('/assets/')) return site.asset(path, request)
    return site.file(path, request) ?? site.page(request)
  })
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
