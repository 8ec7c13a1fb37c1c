import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import {
  AdminPasswordError,
  createControlPlane,
  defaultSettings,
  type ControlPlane,
  type DatabaseHost,
  type FirstCredentials,
  NewerSchemaError,
  OlderSchemaError,
  OtherEngineError,
} from '@steading/control-plane'
import { type Engine, type Engines, EngineStartError } from '@steading/control-plane/ports'
import { replicationAdvice, replicationText, siloHost } from '@steading/api/rules'
import { errorCode, errorMessage, isNoSpace, spaceOf } from '@steading/files'
import type { EngineName, ServerConfig } from './config.ts'
import { openDatabase } from './database.ts'
import { lockDataDirectory } from './data-lock.ts'
import { proveDataDirectory } from './data-token.ts'
import { StartError } from './errors.ts'
import { createDocs } from './docs.ts'
import { createEngine, otherEngineAdvice } from './engine.ts'
import { installation } from './installation.ts'
import { isLocal, plainHostOf, urlOf } from './listening.ts'
import { createHttpServer, type HttpServer } from './http-server.ts'
import { createImageSources } from './image-sources.ts'
import { createInstrumentation, type HostInstrumentation } from './instrumentation.ts'
import { listenForMetrics, type MetricsServer } from './metrics-server.ts'
import { createDiagnostics } from './diagnostics.ts'
import { createLog, type Log } from './log.ts'
import { createLogTail, type LogTail } from './log-tail.ts'
import { createPasswordHasher } from './passwords.ts'
import { createOidc } from './oidc/oidc.ts'
import { createSaml } from './saml/saml.ts'
import { makePrivate } from './private.ts'
import { isFull } from './sqlite.ts'
import { fileReserve } from './free-space.ts'
import { loadSite, type StaticSite } from './static.ts'
import { native } from './volumes/native.ts'
import { createTimeSeries, type HostTimeSeries } from './time-series.ts'
import { createMail } from './mail.ts'
import { createWebhooks } from './webhooks.ts'

/** A running server. */
export interface Server<E extends Engines = Engines> {
  /** Address for a browser on this machine. */
  url: string
  port: number
  /** TLS address for a browser; the host name is that of the first silo. */
  tls?: { url: string; port: number }
  controlPlane: ControlPlane<E>
  /** Address of the metrics without credentials. */
  metricsUrl?: string
  /** Whether the database was empty and has been initialized. */
  firstStart: boolean
  /**
   * Reports "not ready" for as long as load balancers may need to notice; then finishes running
   * requests, ends streams and sockets, and closes the database.
   */
  close: () => Promise<void>
}

/** Parts of the host that its servers share. */
interface OpenParts {
  log: Log
  tail: LogTail
  timeSeries: HostTimeSeries
  measures: HostInstrumentation
  clock?: () => Date
}

/** Without the option and without zones, the address of a console on this machine. */
const consoleUrlOf = ({ consoleUrl, zones, host, port }: ServerConfig): string | undefined =>
  consoleUrl ?? (zones.length > 0 ? undefined : urlOf(host, port))

async function openControlPlane(
  config: ServerConfig,
  database: DatabaseHost,
  { log, tail, timeSeries, measures, clock }: OpenParts,
  { engine, name }: { engine: Engine; name?: EngineName },
): Promise<ControlPlane> {
  const shared = config.databaseUrl !== undefined
  const disksElsewhere = name === 'libvirt' && config.sharedDirectory !== undefined
  const controlPlane = await createControlPlane({
    database,
    passwords: createPasswordHasher(config.passwordCost),
    engine: { ...engine, open: (parts) => ({ ...engine.open(parts), timeSeries }) },
    measures,
    clock,
    collects: config.collects,
    reserve: shared ? undefined : fileReserve(config.data),
    host: {
      native,
      saml: createSaml(config.metadataNetworks, config.outgoingProxy),
      oidc: createOidc(config.metadataNetworks, config.outgoingProxy),
      webhooks: createWebhooks(config.webhookNetworks, undefined, config.outgoingProxy),
      mail:
        config.smtpUrl && config.mailFrom
          ? createMail({ url: config.smtpUrl, from: config.mailFrom })
          : undefined,
      dataDisk: async () => ({ path: config.data, ...(await spaceOf(config.data)) }),
      imageSources: createImageSources(config.imageNetworks, {
        proxy: config.outgoingProxy,
        scratch: { directory: config.data, keepFree: config.keepFree },
      }),
      diagnostics: createDiagnostics(config, tail),
    },
    settings: {
      externalZones: config.zones,
      consoleUrl: consoleUrlOf(config),
      serverName: hostname(),
      extensions: config.extensions,
      multicast: config.multicast,
      ignoreAllowList: config.ignoreAllowList,
      passwordMin: config.passwordMin,
      sessionIdleMs: config.sessionIdleMs,
      sessionAbsoluteMs: config.sessionAbsoluteMs,
      autoRestartCooldownMs: config.autoRestartCooldownMs,
      log,
    },
  })
  try {
    if (controlPlane.database.shared) {
      await proveDataDirectory(config, controlPlane.database.db, disksElsewhere)
    }
  } catch (error) {
    await controlPlane.database.close()
    throw error
  }
  return controlPlane
}

/** Converts an error at the start to a StartError with one line, if the operator can solve it. */
async function startProblem(
  error: unknown,
  { data }: ServerConfig,
  database?: DatabaseHost,
): Promise<unknown> {
  if (error instanceof StartError) return error
  if (isNoSpace(error) || isFull(error) || database?.outageOf?.(error) === 'full') {
    return new StartError(`the disk is full; make room for ${data} and start again`)
  }
  if (database?.outageOf?.(error) === 'unreachable') {
    return new StartError(`lost the connection to the database: ${errorMessage(error)}`)
  }
  if (database?.outageOf?.(error) === 'damaged') {
    const found = await database.check?.(new AbortController().signal)
    const reason = [errorMessage(error), ...(found ?? [])].join('; ')
    return new StartError(`the database is damaged or its disk fails; restore a backup: ${reason}`)
  }
  if (error instanceof AdminPasswordError) {
    return new StartError(`STEADING_ADMIN_PASSWORD: ${error.message}`)
  }
  if (error instanceof NewerSchemaError) {
    const reason = 'the database was written by a newer version of Steading, and'
    return new StartError(`${reason} ${error.message}, which this one does not know; use that one`)
  }
  if (error instanceof OlderSchemaError || error instanceof EngineStartError) {
    return new StartError(error.message)
  }
  if (error instanceof OtherEngineError) {
    return new StartError(`${error.message}; ${otherEngineAdvice(error)}`)
  }
  const { path } = error as { path?: unknown }
  if (typeof path === 'string' && path.startsWith(data)) {
    const reason = ['EEXIST', 'ENOTDIR'].includes(errorCode(error) ?? '')
      ? 'there is a file in its place'
      : errorMessage(error)
    return new StartError(`cannot use ${path}: ${reason}`)
  }
  return error
}

/** A directory of another user works as well; its owner decides who may read it. */
function makePrivateIfOwned(directory: string, log: Log): void {
  try {
    makePrivate(directory)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error
    log(`others may read the data directory ${directory}, which belongs to another user`)
  }
}

async function listenTls(
  http: HttpServer,
  ready: Promise<ControlPlane>,
  { host, tlsPort, zones }: ServerConfig,
  log: Log,
): Promise<Server['tls']> {
  if (tlsPort === undefined) return undefined
  // Loaded late, because few servers need it and it slows down the start.
  const { tlsOptions } = await import('./tls.ts')
  const find = async (name: string) => (await ready).certificatesFor(name)
  const port = await http.listen(host, tlsPort, tlsOptions(find, log))
  const name = siloHost(defaultSettings.defaultSilo, zones[0]!)
  return { url: port === 443 ? `https://${name}` : `https://${name}:${port}`, port }
}

/** Warns that others can read plain HTTP beyond this machine. */
function warnOfPlainText(host: string, { trustedProxies }: ServerConfig, log: Log): void {
  if (isLocal(host) || trustedProxies) return
  log(
    `Passwords, sessions and data can be read on their way: plain HTTP is spoken on ${host}. Use --tls-port, or a proxy with TLS and --trust-proxy.`,
  )
}

/** Warns that a failover of the database can lose writes. */
async function warnOfReplication({ replication }: DatabaseHost, log: Log): Promise<void> {
  const found = await replication?.()
  if (found) log(`${replicationText(found.facts)}; ${replicationAdvice(found.facts)}`)
}

/** Parts that tests give to a server. */
export interface TestParts {
  /** Opens another engine than the configured one. */
  openEngine?: (config: ServerConfig) => Promise<Engine>
  /** See `ControlPlaneOptions`. */
  clock?: () => Date
  /** The console. Loading it is most of a start, so the servers of one process share it. */
  site?: StaticSite
}

/**
 * Starts the product: HTTP, WebSockets, console, database and control plane.
 *
 * The port is bound before the database is opened, so that a start that fails because of a busy
 * port changes nothing: above all, it does not create an administrator whose generated password is
 * lost. Requests that arrive before the control plane is ready wait for it.
 *
 * @param announce called with the administrator's credentials at the first start, if the password
 * was generated
 * @throws StartError if the configuration does not work here
 */
export async function startServer(
  config: ServerConfig,
  announce?: (credentials: FirstCredentials) => void,
  processLog = createLog(config.log),
  { openEngine, clock, site = loadSite(installation.console) }: TestParts = {},
): Promise<Server> {
  const ready = Promise.withResolvers<ControlPlane>()
  // The caller gets the error of a failed start, so the rejection needs no other handler.
  ready.promise.catch(() => {})
  const log = processLog.problem
  const tail = createLogTail(config.data)
  processLog.copyProblems(tail.add)
  const measures = createInstrumentation()
  if (site.fault?.is === 'unreadable') log(`the console cannot be read: ${site.fault.reason}`)
  const http = createHttpServer(
    ready.promise,
    site,
    createDocs(),
    processLog,
    measures,
    config.trustedProxies,
  )
  // Holds the contents of disks with any database. Servers on one PostgreSQL share it.
  const lock = lockDataDirectory(config.data, { shared: config.databaseUrl !== undefined })
  const timeSeries = createTimeSeries(config, log)
  let database: DatabaseHost | undefined
  let metrics: MetricsServer | undefined
  let letGo: (() => Promise<void>) | undefined
  try {
    makePrivateIfOwned(config.data, log)
    const plainHost = plainHostOf(config)
    const port = await http.listen(plainHost, config.port)
    const tls = await listenTls(http, ready.promise, config, log)
    if (config.proxySocket !== undefined) await http.listenForProxy(config.proxySocket)
    warnOfPlainText(plainHost, config, log)
    if (config.metricsListen) {
      metrics = await listenForMetrics(config.metricsListen, ready.promise, log)
    }
    database = await openDatabase(config)
    await warnOfReplication(database, log)
    const { engine, name, reason, networks, networkProblem } = openEngine
      ? { engine: await openEngine(config) }
      : await createEngine(config, database)
    if (reason !== undefined) log(`machines are simulated: ${reason}`)
    if (networkProblem !== undefined) {
      if (networks) log(`the networks of machines cannot run here: ${networkProblem}`)
      else if (config.networks === 'auto')
        log(`machines do not reach each other: ${networkProblem}`)
    }
    letGo = await networks?.begin?.(log)
    const hostParts = { log, tail, timeSeries, measures, clock }
    const controlPlane = await openControlPlane(config, database, hostParts, { engine, name })
    const { created } = await controlPlane.bootstrap({
      adminPassword: config.adminPassword,
      announce,
    })
    await controlPlane.start()
    ready.resolve(controlPlane)
    return {
      url: urlOf(plainHost, port),
      port,
      tls,
      metricsUrl: metrics && `${urlOf(config.metricsListen!.host, metrics.port)}/metrics`,
      controlPlane,
      firstStart: created,
      async close() {
        controlPlane.leave()
        await pause(config.drainMs)
        await http.close()
        await metrics?.close()
        await controlPlane.stop()
        await timeSeries.close()
        await letGo?.()
        lock.release()
      },
    }
  } catch (error) {
    ready.reject(error)
    await http.close()
    await metrics?.close()
    await timeSeries.close()
    await letGo?.()
    lock.release()
    throw await startProblem(error, config, database)
  }
}
