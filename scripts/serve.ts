/** Serves a built site, as any static file server would. */
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { errorMessage } from '@steading/files'

interface Served {
  /** Name of the script, for messages. */
  name: string
  /** Used unless `--port` or `STEADING_<NAME>_PORT` names another one. */
  port: number
  /** Path of the page below the root. */
  path?: string
}

function options({ name, port: usual }: Served): { host: string; port: number } {
  const setting = (part: string) => process.env[`STEADING_${name.toUpperCase()}_${part}`]
  try {
    const { values } = parseArgs({
      options: {
        host: { type: 'string', default: setting('HOST') || '127.0.0.1' },
        port: { type: 'string', default: setting('PORT') || String(usual) },
      },
    })
    const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Number.NaN
    if (!(port <= 65_535)) throw new Error(`--port must be a number, not "${values.port}"`)
    return { host: values.host, port }
  } catch (error) {
    console.error(`steading ${name}: ${errorMessage(error)}`)
    process.exit(2)
  }
}

/**
 * Reads the address from the arguments, then prepares the site and serves it.
 * @param prepare builds the site and returns what answers its requests
 */
export async function serve(
  served: Served,
  prepare: () => Promise<(request: Request) => Response>,
): Promise<void> {
  const { name, path = '' } = served
  const { host, port } = options(served)
  const server = createServer(getRequestListener(await prepare()))
  server.once('error', (error) => {
    console.error(`steading ${name}: ${errorMessage(error)}`)
    process.exit(2)
  })
  server.listen(port, host, () => {
    const address = server.address()
    const actual = typeof address === 'object' && address ? address.port : port
    console.log(`The ${name} is at http://${host}:${actual}${path}`)
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
}
