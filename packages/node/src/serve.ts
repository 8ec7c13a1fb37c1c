import { STOP_MS } from '@steading/api/rules'
import type { FirstCredentials } from '@steading/control-plane'
import type { ServerConfig } from './config.ts'
import type { ServerLog } from './log.ts'
import type { Server } from './server.ts'

/**
 * Shutdown timeout, before supervisors kill the process. A shutdown takes a moment, but longer on a
 * busy machine.
 */
const SHUTDOWN_MS = STOP_MS - 500
/**
 * Under npm, Ctrl-C arrives twice, from the terminal and from npm; only a signal after this time
 * counts as a second one.
 */
const SAME_SIGNAL_MS = 1_000

function stopOnSignals(server: Server, drainMs: number, log: ServerLog): void {
  let began: number | undefined
  const stop = async (): Promise<void> => {
    if (began !== undefined) {
      // Second signal of the user.
      if (performance.now() - began > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    began = performance.now()
    setTimeout(() => {
      log.ends('shutdown took too long and was cut off')
      process.exit(1)
    }, drainMs + SHUTDOWN_MS).unref()
    try {
      await server.close()
    } catch (error) {
      log.problem('shutdown failed', error)
      process.exit(1)
    }
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
}

const firstStart = ({ silo, user, password }: FirstCredentials): string =>
  `First start: sign in to silo "${silo}" as "${user}" with the password ${password} (shown only now)`

/**
 * Serves until a stop signal.
 * @throws StartError if it cannot start
 */
export async function serve(config: ServerConfig, log: ServerLog): Promise<void> {
  // Loaded late, because loading takes most of the start time, and configuration errors do not need
  // it.
  const { startServer } = await import('./server.ts')
  const server = await startServer(config, (first) => log.info(firstStart(first)), log)
  stopOnSignals(server, config.drainMs, log)
  const tls = server.tls ? `, and with TLS at ${server.tls.url}` : ''
  const metrics = server.metricsUrl ? `; metrics at ${server.metricsUrl}` : ''
  log.info(`Steading is running at ${server.url}${tls}${metrics}`)
}
