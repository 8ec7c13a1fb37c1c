/**
 * `npm run demo [-- --port <number> --host <address>]`: builds the demo if it is stale and serves
 * it. Any static file server would do: everything else happens in the browser.
 */
import { createServer } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { errorMessage } from '@steading/files'
import { consoleContentPolicy, loadSite } from '../packages/node/src/static.ts'
import { demoSite, docsSite, refresh } from './sites.ts'

function options(): { host: string; port: number } {
  try {
    const { values } = parseArgs({
      options: {
        host: { type: 'string', default: process.env.STEADING_DEMO_HOST || '127.0.0.1' },
        port: { type: 'string', default: process.env.STEADING_DEMO_PORT || '12221' },
      },
    })
    const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Number.NaN
    if (!(port <= 65_535)) throw new Error(`--port must be a number, not "${values.port}"`)
    return { host: values.host, port }
  } catch (error) {
    console.error(`steading demo: ${errorMessage(error)}`)
    process.exit(2)
  }
}

const { host, port } = options()
for (const each of [docsSite, demoSite]) if (!(await refresh(each))) process.exit(1)

// The demo's database is WebAssembly, which the console's content security policy does not permit.
const policy = `${consoleContentPolicy}; script-src 'self' 'wasm-unsafe-eval'`
const site = loadSite(join(demoSite.directory, 'dist'), policy)
const listener = getRequestListener((request) => {
  const path = new URL(request.url).pathname
  if (path.startsWith('/assets/')) return site.asset(path, request)
  return site.file(path, request) ?? site.page(request)
})
const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
server.once('error', (error) => {
  console.error(`steading demo: ${errorMessage(error)}`)
  process.exit(2)
})
server.listen(port, host, () => {
  const address = server.address()
  const actual = typeof address === 'object' && address ? address.port : port
  console.log(`The demo is at http://${host}:${actual}`)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
