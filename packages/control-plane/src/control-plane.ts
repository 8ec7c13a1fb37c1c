import { operationTable } from '@steading/api'
import type { PasswordHasher } from './kernel/ports/passwords.ts'
import { clearOnChange, createCallerCache } from './resources/auth/authenticate.ts'
import { createLoginThrottle } from './resources/auth/throttle.ts'
import { bootstrap, type BootstrapOptions } from './bootstrap.ts'
import { NoSpaceError } from './kernel/ports/block-store.ts'
import type { Reserve } from './kernel/ports/reserve.ts'
import type { Saml } from './kernel/ports/saml.ts'
import type { Webhooks } from './kernel/ports/webhooks.ts'
import { type Native, portable } from './kernel/ports/native.ts'
import type { EngineParts, Engines } from './kernel/ports/engines.ts'
import type { DatabaseHost, Db, OpenDatabase } from './kernel/db/database.ts'
import { unsynced } from './kernel/db/unsynced.ts'
import { openDatabase } from './open-database.ts'
import { createImportGate } from './kernel/import-gate.ts'
import { createEventFeed } from './kernel/events/feed.ts'
import { type CallInfo, createApp } from './transport/app.ts'
import { consolePage } from './transport/console-pages.ts'
import { handlers } from './transport/handlers.ts'
import { createSocketOpener } from './transport/open-socket.ts'
import type { SocketHandler } from './kernel/sockets.ts'
import { createHousekeeping } from './housekeeping.ts'
import { certificatesFor, type ServedCertificate } from './resources/certificates/serve.ts'
import { runJob } from './resources/jobs/runner.ts'
import { createOutages } from './kernel/outages.ts'
import type { JobRow } from './resources/jobs/view.ts'
import { createNetworks } from './resources/reachability/networks.ts'
import { receiverReconciliation } from './resources/alert-receivers/reconcile.ts'
import { raisePowerSupplyAlert } from './resources/alerts/power-supplies.ts'
import { diskReconciliation } from './resources/disks/reconcile.ts'
import { lookAtRacks } from './resources/hardware/look.ts'
import { rackReconciliation } from './resources/racks/reconcile.ts'
import { setUpRack } from './resources/racks/set-up.ts'
import { instanceReconciliation } from './resources/instances/reconcile.ts'
import { multicastReconciliation } from './resources/multicast-groups/reconcile.ts'
import { snapshotReconciliation } from './resources/snapshots/reconcile.ts'
import { createReconciler } from './kernel/reconciler.ts'
import type { ControlPlaneServices } from './kernel/services.ts'
import { defaultSettings, type Settings } from './kernel/settings.ts'

export interface ControlPlaneOptions<E extends Engines = Engines> {
  database: DatabaseHost
  passwords: PasswordHasher
  settings?: Partial<Settings>
  /** Makes the engines for machines, volumes and consoles. */
  engines: (parts: EngineParts) => E
  native?: Native
  /** Without it, silos have no identity providers. */
  saml?: Saml
  /** Without it, there are no receivers of alerts. */
  webhooks?: Webhooks
  /** Without a reserve, users cannot sign in while the disk is full. */
  reserve?: Reserve
  clock?: () => Date
}

export interface ControlPlane<E extends Engines = Engines> {
  fetch: (request: Request, info: CallInfo) => Promise<Response>
  /** A handler for the host to connect, or the response that refuses the upgrade. */
  openSocket: (request: Request, info: CallInfo) => Promise<SocketHandler | Response>
  /**
   * The redirect to the login page for a browser that asks for a page of the console without a
   * session; undefined if the page may be served.
   */
  consolePage: (request: Request) => Promise<Response | undefined>
  /** The certificates with which a host can be served over TLS, the best first. */
  certificatesFor: (host: string) => Promise<ServedCertificate[]>
  bootstrap: (options: BootstrapOptions) => Promise<{ created: boolean }>
  start: () => Promise<void>
  stop: () => Promise<void>
  /** For seeding the demo and for tests. */
  database: OpenDatabase
  engines: E
}

const probe = (db: Db) => db.selectFrom('setting').select('key').limit(1)

/** Bytes that are written to find out whether the disk of the database has room. */
const PROBE_BYTES = 256 * 1024

async function writeAndRemove(db: Db): Promise<void> {
  const key = 'probe'
  const value = ' '.repeat(PROBE_BYTES)
  await db
    .insertInto('setting')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
  await db.deleteFrom('setting').where('key', '=', key).execute()
}

/** Opens the database and composes the parts; nothing runs before `start`. */
export async function createControlPlane<E extends Engines>(
  options: ControlPlaneOptions<E>,
): Promise<ControlPlane<E>> {
  const given = { ...defaultSettings, ...options.settings }
  const clock = options.clock ?? (() => new Date())
  const database = await openDatabase(options.database)
  if (!database.findsText) {
    given.log(
      'The extension pg_trgm of PostgreSQL is missing, and this user may not add it: searches read whole lists, which is slow where they are long.',
    )
  }
  const { db } = database
  const outages = createOutages({
    outageOf: (error) =>
      // With a reserve, the volumes and the database are on one disk.
      error instanceof NoSpaceError && options.reserve
        ? 'full'
        : options.database.outageOf?.(error),
    read: () => probe(db).execute(),
    write: () => writeAndRemove(db),
    reserve: options.reserve,
    log: given.log,
    over: () => reconciler.wake(),
  })
  const settings: Settings = {
    ...given,
    // Errors caused by an outage are not logged one by one; the outage itself is logged once.
    log(message, detail) {
      if (!outages.notice(detail)) given.log(message, detail)
    },
  }
  const feed = createEventFeed(database.db, options.database.dialect, settings.log)
  const networks = createNetworks(database.db)
  const engines = options.engines({ database, clock, log: settings.log, networks })
  const imports = createImportGate(database)
  const parts = { database, settings, ...engines, imports }
  const reconciler = createReconciler({ database, settings, clock, feed }, [
    {
      of: [
        snapshotReconciliation(parts),
        diskReconciliation(parts),
        instanceReconciliation(parts),
        multicastReconciliation(parts),
      ],
      concurrency: 8,
    },
    // The rack does not wait until many instances have been handled.
    { of: [rackReconciliation(parts)], concurrency: 1 },
    // Jobs have a loop of their own, so that jobs and the machines that they start do not wait for
    // each other.
    {
      of: [{ table: 'job', reconcile: (_, row) => runJob(services, row as JobRow) }],
      concurrency: 2,
    },
    ...(options.webhooks
      ? [
          {
            of: [receiverReconciliation({ database, clock, webhooks: options.webhooks })],
            concurrency: 16,
          },
        ]
      : []),
  ])
  engines.machines.subscribe((machineId) => {
    database.db
      .updateTable('instance')
      .set({ reconcile_at: clock().toISOString() })
      .where('vm_id', '=', machineId)
      .modifyEnd(unsynced)
      .execute()
      .then(
        () => reconciler.wake('instance'),
        (error) => settings.log('noting a change of a machine failed', error),
      )
  })
  engines.hardware.subscribe(() => {
    lookAtRacks(database.db, clock()).then(
      () => reconciler.wake('rack'),
      (error) => settings.log('noting a change of the hardware failed', error),
    )
  })
  engines.power.subscribe(async (change) => {
    await raisePowerSupplyAlert(database, clock(), change)
    feed.notify()
  })
  if (options.webhooks) {
    // Whoever raises an alert need not think of its deliveries.
    database.watch({ alert_delivery: [], webhook_secret: [] }, () =>
      reconciler.wake('alert_receiver'),
    )
  }
  const callers = createCallerCache()
  clearOnChange(database, callers)
  const services: ControlPlaneServices = {
    database,
    settings,
    clock,
    passwords: options.passwords,
    throttle: createLoginThrottle(),
    callers,
    hardware: engines.hardware,
    simulation: engines.simulation,
    volumes: engines.volumes,
    consoles: engines.consoles,
    uplinks: engines.uplinks,
    reconciler,
    feed,
    imports,
    native: options.native ?? portable,
    saml: options.saml,
    webhooks: options.webhooks,
    outages,
  }
  const routes = { operations: operationTable, handlers }
  const app = createApp(services, routes)
  const housekeeping = createHousekeeping(services)
  return {
    database,
    engines,
    fetch: async (request, info) => app.fetch(request, info),
    openSocket: createSocketOpener(services, routes),
    consolePage: (request) => consolePage(services, request),
    async certificatesFor(host) {
      try {
        return await certificatesFor(services, host)
      } catch (error) {
        settings.log('finding the certificate of a host failed', error)
        throw error
      }
    },
    bootstrap: (bootstrapOptions) =>
      bootstrap(database, options.passwords, clock(), bootstrapOptions),
    async start() {
      if (options.reserve && !(await options.reserve.restore())) {
        outages.begin('full', 'found at the start')
      }
      await setUpRack(database, engines.hardware, clock())
      await engines.volumes.start()
      await engines.machines.start()
      await reconciler.start()
      housekeeping.start()
    },
    async stop() {
      feed.close()
      await housekeeping.stop()
      options.webhooks?.close()
      await reconciler.stop()
      await engines.machines.close()
      await imports.close()
      await engines.volumes.close()
      await outages.stop()
      await database.close()
    },
  }
}
