import { join } from 'node:path'
import { createControlPlane, type ControlPlane, type DatabaseHost } from '@steading/control-plane'
import type { ServerConfig } from './config.ts'
import { lockDataDirectory } from './data-lock.ts'
import { createHttpServer } from './http-server.ts'
import { logToStderr } from './log.ts'
import { createPasswordHasher } from './passwords.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import { loadSite } from './static.ts'
import { fileBlockStore } from './volumes/file-block-store.ts'
import { native } from './volumes/native.ts'

const consoleDirectory = join(import.meta.dirname, '../../console/dist')

/** A running server. */
export interface Server {
  /** For a browser on this machine. */
  url: string
  port: number
  controlPlane: ControlPlane
  /** Whether the database was empty and has been set up. */
  firstStart: boolean
  /** Finishes running requests, ends streams and sockets, and closes the database. */
  close: () => Promise<void>
}

async function openDatabase({ data, databaseUrl }: ServerConfig): Promise<DatabaseHost> {
  return databaseUrl === undefined
    ? openSqlite(join(data, 'steading.db'))
    : openPostgres(databaseUrl, logToStderr)
}

function openControlPlane(config: ServerConfig, database: DatabaseHost): Promise<ControlPlane> {
  return createControlPlane({
    database,
    passwords: createPasswordHasher(config.passwordCost),
    volumes: fileBlockStore(join(config.data, 'volumes')),
    native,
    settings: {
      extensions: config.extensions,
      sessionIdleMs: config.sessionIdleMs,
      sessionAbsoluteMs: config.sessionAbsoluteMs,
      autoRestartCooldownMs: config.autoRestartCooldownMs,
      log: logToStderr,
    },
    simulated: {
      bootMs: config.bootMs,
      stopMs: config.bootMs * (3 / 8),
      rebootMs: config.bootMs * (3 / 4),
    },
  })
}

/** The address to show: wildcards are no addresses, and IPv6 wants brackets. */
function urlOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * Starts the product: HTTP, WebSockets, console, database and control plane.
 *
 * The port is taken before the database is opened: a start that fails for a busy port leaves nothing
 * behind, above all no administrator whose generated password led nowhere. Requests that come
 * before the control plane is up wait for it.
 *
 * @param announce told the administrator's password at the first start, if it was generated
 * @throws StartError if the configuration does not work here
 */
export async function startServer(
  config: ServerConfig,
  announce?: (adminPassword: string) => void,
): Promise<Server> {
  const ready = Promise.withResolvers<ControlPlane>()
  // Whether anybody waits or not, a start that fails is told to the caller.
  ready.promise.catch(() => {})
  const http = createHttpServer(ready.promise, loadSite(consoleDirectory), logToStderr)
  // It holds the bytes of disks, whatever the database is.
  const lock = lockDataDirectory(config.data)
  try {
    const port = await http.listen(config.host, config.port)
    const controlPlane = await openControlPlane(config, await openDatabase(config))
    const { created } = await controlPlane.bootstrap({
      adminPassword: config.adminPassword,
      announce,
    })
    await controlPlane.start()
    ready.resolve(controlPlane)
    return {
      url: urlOf(config.host, port),
      port,
      controlPlane,
      firstStart: created,
      async close() {
        await http.close()
        await controlPlane.stop()
        lock.release()
      },
    }
  } catch (error) {
    ready.reject(error)
    await http.close()
    lock.release()
    throw error
  }
}
