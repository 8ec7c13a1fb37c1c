import { operationTable, type Wire } from '@steading/api'
import type { PasswordHasher } from './kernel/ports/passwords.ts'
import { clearOnChange, createCallerCache } from './resources/identity/auth/authenticate.ts'
import './resources/identity/auth/services.ts'
import { createPasswordQueue } from './resources/identity/auth/password-queue.ts'
import { createLoginThrottle } from './resources/identity/auth/throttle.ts'
import { bootstrap, type BootstrapOptions } from './bootstrap.ts'
import { NoSpaceError } from './kernel/ports/block-store.ts'
import type { HostParts } from './kernel/ports/host-parts.ts'
import type { Reserve } from './kernel/ports/reserve.ts'
import { type Instrumentation, noInstrumentation } from './kernel/instrumentation.ts'
import { portable } from './kernel/ports/native.ts'
import type { Engine, Engines } from './kernel/ports/engines.ts'
import type { DatabaseHost, Db, OpenDatabase } from './kernel/db/database.ts'
import {
  createClockReading,
  type DatabaseClock,
  openDatabaseClock,
} from './kernel/db/database-clock.ts'
import { DamagedDocument } from './kernel/db/json-column.ts'
import { unsynced } from './kernel/db/unsynced.ts'
import { closeEngines, nameOf, startEngines } from './kernel/engine.ts'
import { describeEngine } from './kernel/engine-parts.ts'
import { openDatabase, orClosed } from './open-database.ts'
import { createImportLock } from './kernel/import-lock.ts'
import { createEventFeed } from './kernel/events/feed.ts'
import { type CallInfo, createApp } from './transport/app.ts'
import { createCallScheduler } from './transport/call-scheduler.ts'
import { consolePage } from './transport/console-pages.ts'
import { handlers } from './transport/handlers.ts'
import { createSocketOpener } from './transport/open-socket.ts'
import type { SocketHandler } from './kernel/sockets.ts'
import type { Task } from './kernel/task.ts'
import { createHousekeeping } from './housekeeping.ts'
import { certificatesFor, type ServedCertificate } from './resources/identity/certificates/serve.ts'
import { createHealthWatch } from './resources/maintenance/health/health.ts'
import { readGauges } from './resources/observability/server-metrics/gauges.ts'
import { runJob } from './resources/workspace/jobs/runner.ts'
import { createLateEntries } from './kernel/audit/late-entries.ts'
import { createOutages } from './kernel/outages.ts'
import type { JobRow } from './resources/workspace/jobs/wire.ts'
import { createNetworks } from './resources/networking/reachability/networks.ts'
import { createPacketTurns } from './resources/networking/reachability/packet-turns.ts'
import { createAdmission } from './resources/system-networking/allow-list/admission.ts'
import { receiverReconciliation } from './resources/observability/alert-receivers/reconcile.ts'
import {
  linkReconciliation,
  requestReconciliation,
} from './resources/identity/user-links/reconcile.ts'
import { subscriptionReconciliation } from './resources/observability/notifications/reconcile.ts'
import { createNotificationWatcher } from './resources/observability/notifications/watcher.ts'
import { createEvaluator } from './resources/observability/alert-rules/evaluator.ts'
import { createScrubber } from './resources/maintenance/scrub/scrub.ts'
import { raisePowerSupplyAlert } from './resources/observability/alerts/power-supplies.ts'
import { createCollector } from './resources/observability/timeseries/collector.ts'
import { createOwnMeter } from './resources/observability/timeseries/own-meter.ts'
import { createTimeseriesQueries } from './resources/observability/timeseries/query.ts'
import { createInventory } from './resources/observability/timeseries/inventory.ts'
import { storagePoolReconciliation } from './resources/storage/storage-pools/reconcile.ts'
import { followRestore } from './resources/storage/storage-pools/follow-restore.ts'
import { setUpStoragePools } from './resources/storage/storage-pools/set-up.ts'
import { diskReconciliation } from './resources/storage/disks/reconcile.ts'
import { setRackAlarms } from './resources/hardware/hardware/rack-alarm.ts'
import { fencingReconciliation } from './resources/hardware/host-fencing/reconcile.ts'
import { hostReconciliation } from './resources/hardware/hosts/reconcile.ts'
import { rackReconciliation } from './resources/hardware/racks/reconcile.ts'
import { setUpRack } from './resources/hardware/racks/set-up.ts'
import { instanceCloneReconciliation } from './resources/compute/instance-clones/reconcile.ts'
import { scheduleReconciliation } from './resources/compute/schedules/reconcile.ts'
import {
  createMakeRoom,
  createRoomTask,
} from './resources/workspace/deleted-resources/make-room.ts'
import { deletedResourceReconciliation } from './resources/workspace/deleted-resources/reconcile.ts'
import { instanceReconciliation } from './resources/compute/instances/reconcile.ts'
import { createNetworkPlanner } from './resources/networking/instance-networks/plan.ts'
import { instanceNetworkReconciliation } from './resources/networking/instance-networks/reconcile.ts'
import { multicastOfVpcs } from './resources/networking/vpc-networks/multicast.ts'
import { createVpcNetworkPlanner } from './resources/networking/vpc-networks/plan.ts'
import { vpcNetworkReconciliation } from './resources/networking/vpc-networks/reconcile.ts'
import { multicastReconciliation } from './resources/networking/multicast-groups/reconcile.ts'
import { createUplinkPlanner } from './resources/system-networking/uplink-hosts/plan.ts'
import { uplinkReconciliation } from './resources/system-networking/uplink-hosts/reconcile.ts'
import { setUpPorts } from './resources/system-networking/switch-ports/set-up.ts'
import {
  type BundleRow,
  reconcileBundle,
} from './resources/maintenance/support-bundles/reconcile.ts'
import {
  type DownloadRow,
  type DownloadStep,
  reconcileImageDownload,
} from './resources/storage/image-downloads/reconcile.ts'
import { snapshotReconciliation } from './resources/storage/snapshots/reconcile.ts'
import { setUpdateAlarm } from './resources/hardware/hardware/update-alarm.ts'
import { maintenanceReconciliation } from './resources/hardware/sled-maintenance/reconcile.ts'
import { updateReconciliation } from './resources/maintenance/updates/reconcile.ts'
import { createClockMark } from './kernel/clock-mark.ts'
import { createReconciler, type StartOptions, type Step } from './kernel/reconciler/reconciler.ts'
import type { ControlPlaneServices } from './kernel/services.ts'
import { createInFlight } from './kernel/in-flight.ts'
import { defaultSettings, type Settings } from './kernel/settings.ts'
import { writeSetting } from './kernel/db/setting.ts'

export interface ControlPlaneOptions<E extends Engines = Engines> {
  database: DatabaseHost
  passwords: PasswordHasher
  settings?: Partial<Settings>
  /** Runs machines, keeps volumes and knows the hardware. */
  engine: Engine<E>
  host?: HostParts
  /** Without a reserve, users cannot sign in while the disk is full. */
  reserve?: Reserve
  /** Without it, nothing is counted. */
  measures?: Instrumentation
  /** By default, the clock of a shared database, or of the machine with an embedded one. */
  clock?: () => Date
  /** Whether metrics are collected in the background, if there is a store for them. */
  collects?: boolean
}

export interface ControlPlane<E extends Engines = Engines> {
  /**
   * Whether a client may reach the services at all; the host asks before it does anything for it.
   * Fails if the allow list cannot be known, because the database has never been reached.
   */
  admits: (clientAddress: string) => Promise<boolean>
  fetch: (request: Request, info: CallInfo) => Promise<Response>
  /** A handler for the host to connect, or the response that refuses the upgrade. */
  openSocket: (request: Request, info: CallInfo) => Promise<SocketHandler | Response>
  /**
   * The redirect to the login page for a browser that requests a page of the console without a
   * session; undefined if the page may be served.
   */
  consolePage: (request: Request) => Promise<Response | undefined>
  /** The certificates for serving a host over TLS, the best first. */
  certificatesFor: (host: string) => Promise<ServedCertificate[]>
  /** Whether this server takes calls. */
  health: () => Promise<Wire.Health>
  /** Reports this server as not ready from now on; it keeps working. */
  leave: () => void
  /** The answer to `/x/v1/metrics`. */
  metrics: () => Promise<string>
  bootstrap: (options: BootstrapOptions) => Promise<{ created: boolean }>
  /** Collects metrics once; runs in the background where the host wants it. */
  collect: () => Promise<void>
  /** Evaluates the due alert rules once; runs in the background where the host collects. */
  evaluateRules: () => Promise<void>
  /** Notifies users of issues that began or ended; runs in the background. */
  notify: () => Promise<void>
  /**
   * Checks all stored bytes for damage once; runs slowly in the background where the host collects.
   */
  scrub: () => Promise<void>
  /** Corrects times that were stored while the clock was ahead; runs in the background. */
  lookAtClock: () => Promise<void>
  /** Removes what is kept no longer, and records daily figures; runs hourly in the background. */
  tidy: () => Promise<void>
  start: (options?: StartOptions) => Promise<void>
  stop: () => Promise<void>
  /** For seeding the demo and for tests. */
  database: OpenDatabase
  engines: E
}

/** Bytes written to test whether the disk of the database has room. */
const PROBE_BYTES = 256 * 1024

async function writeAndRemove(db: Db): Promise<void> {
  const key = 'probe'
  await writeSetting(db, key, ' '.repeat(PROBE_BYTES))
  await db.deleteFrom('setting').where('key', '=', key).execute()
}

/** Opens the database and composes the parts; nothing runs before `start`. */
export async function createControlPlane<E extends Engines>(
  options: ControlPlaneOptions<E>,
): Promise<ControlPlane<E>> {
  const given = { ...defaultSettings, ...options.settings }
  const { host = {} } = options
  const clockOfMachine = options.clock ?? (() => new Date())
  /** Unless the clock is given, or this server has its database for itself. */
  let databaseClock: DatabaseClock | undefined
  const clock = (): Date => (databaseClock?.now ?? clockOfMachine)()
  /** Distinguishes the counters of this server from those of others. */
  const serverId = crypto.randomUUID()
  const own = createOwnMeter(options.measures ?? noInstrumentation, serverId, clock)
  const { measures } = own
  const database = await openDatabase(options.database, options.engine, measures)
  if (database.shared && !options.clock) {
    databaseClock = await orClosed(database, () => openDatabaseClock(database))
  }
  const calls = createInFlight()
  if (!database.findsText) {
    given.log(
      'The extension pg_trgm of PostgreSQL is missing, and this user may not add it: searches read whole lists, which is slow where they are long.',
    )
  }
  const { db } = database
  const outages = createOutages({
    outageOf(error) {
      // With a reserve, the volumes and the database are on one disk.
      if (error instanceof NoSpaceError && options.reserve) return 'full'
      if (error instanceof DamagedDocument) return 'damaged'
      return options.database.outageOf?.(error)
    },
    read: database.probe,
    write: () => writeAndRemove(db),
    check: options.database.check,
    clock,
    reserve: options.reserve,
    log: given.log,
    over() {
      reconciler.wake()
      void lateEntries.write()
    },
  })
  const settings: Settings = {
    ...given,
    // Errors caused by an outage are not logged one by one; the outage itself is logged once.
    log(message, detail) {
      if (!outages.recognize(detail)) given.log(message, detail)
    },
  }
  const lateEntries = createLateEntries(database, settings.log)
  const feed = createEventFeed(database.db, options.database.dialect, settings.log, measures)
  const networks = createNetworks(database.db)
  const inventory = createInventory(database.db)
  const engines = options.engine.open({ database, clock, log: settings.log, networks, inventory })
  const { updates, networking, vpcNetworks, enrolment, fencing } = engines
  const uplinkHosts = engines.uplinks?.hosts
  const multicast =
    engines.multicast ??
    (vpcNetworks &&
      multicastOfVpcs({ database, clock, wake: () => reconciler.wake('vpc_network') }))
  settings.multicast &&= multicast !== undefined
  const imports = createImportLock(database)
  const parts = { database, settings, ...engines, imports }
  const reconciler = createReconciler({ database, settings, clock, feed, measures }, [
    {
      of: [
        snapshotReconciliation(parts),
        diskReconciliation(parts),
        instanceReconciliation(parts),
        ...(multicast ? [multicastReconciliation({ ...parts, multicast })] : []),
        ...(networking ? [instanceNetworkReconciliation({ database, clock, networking })] : []),
      ],
      concurrency: 8,
    },
    // A host that is down holds up the networks of all VPCs, but no instances.
    ...(vpcNetworks
      ? [{ of: [vpcNetworkReconciliation({ database, clock, vpcNetworks })], concurrency: 8 }]
      : []),
    // A host that is down holds up no other uplinks.
    ...(uplinkHosts
      ? [{ of: [uplinkReconciliation({ database, clock, hosts: uplinkHosts })], concurrency: 8 }]
      : []),
    // The rack must not wait for many instances.
    {
      of: [
        rackReconciliation(parts),
        maintenanceReconciliation(parts),
        ...(updates ? [updateReconciliation({ ...parts, updates })] : []),
      ],
      concurrency: 4,
    },
    // Hosts that do not answer hold up others like them, but nothing else.
    ...(enrolment
      ? [
          {
            of: [hostReconciliation({ database, clock, hardware: engines.hardware, enrolment })],
            concurrency: 8,
          },
          // Checks of hosts must not hold up the fencing of another one.
          { of: [fencingReconciliation({ database, clock, enrolment, fencing })], concurrency: 8 },
        ]
      : []),
    // A file system that does not answer holds up the looks at other pools, but no disks.
    ...(engines.storagePools
      ? [
          {
            of: [
              storagePoolReconciliation({
                database,
                clock,
                hardware: engines.hardware,
                storagePools: engines.storagePools,
              }),
            ],
            concurrency: 4,
          },
        ]
      : []),
    // Jobs have a loop of their own, so that jobs and the machines they start do not wait for each
    // other.
    {
      of: [{ table: 'job', reconcile: (_, row) => runJob(services, row as JobRow) }],
      concurrency: 2,
    },
    // Schedules too: thousands may be due at the same minute.
    { of: [scheduleReconciliation(() => services)], concurrency: 4 },
    { of: [instanceCloneReconciliation(parts)], concurrency: 2 },
    { of: [deletedResourceReconciliation({ database, clock })], concurrency: 2 },
    // Collecting takes seconds, during which nothing else may wait.
    {
      of: [
        {
          table: 'support_bundle',
          reconcile: (step, row) =>
            reconcileBundle(services, step as Step<'support_bundle'>, row as BundleRow),
        },
      ],
      concurrency: 1,
    },
    // Downloads take long, and most of that time they wait.
    {
      of: [
        {
          table: 'image_download',
          reconcile: (step, row) =>
            reconcileImageDownload(services, step as DownloadStep, row as DownloadRow),
        },
      ],
      concurrency: 16,
    },
    ...(host.webhooks
      ? [
          {
            of: [receiverReconciliation({ database, clock, webhooks: host.webhooks })],
            concurrency: 16,
          },
        ]
      : []),
    {
      of: [
        subscriptionReconciliation({
          database,
          clock,
          settings,
          mail: host.mail,
          webhooks: host.webhooks,
        }),
      ],
      concurrency: 8,
    },
    // Mails that people wait for are not behind those of subscriptions.
    { of: [linkReconciliation({ database, clock, settings, mail: host.mail })], concurrency: 4 },
    { of: [requestReconciliation({ database, clock, settings, mail: host.mail })], concurrency: 1 },
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
    Promise.all([setRackAlarms(database.db, clock()), setUpdateAlarm(database.db, clock())]).then(
      () => {
        reconciler.wake('rack')
        reconciler.wake('system_update')
      },
      (error) => settings.log('noting a change of the hardware failed', error),
    )
  })
  engines.power?.subscribe(async (change) => {
    await raisePowerSupplyAlert(database, clock(), change)
    feed.notify()
  })
  if (host.webhooks) {
    // The code that raises an alert leaves its deliveries to the reconciler.
    database.watch({ alert_delivery: [], webhook_secret: [] }, () =>
      reconciler.wake('alert_receiver'),
    )
  }
  const planner =
    networking &&
    createNetworkPlanner(database, clock, settings.log, () => reconciler.wake('instance_network'))
  const vpcPlanner =
    vpcNetworks &&
    createVpcNetworkPlanner({
      db: database.db,
      feed,
      clock,
      log: settings.log,
      wake: () => reconciler.wake('vpc_network'),
    })
  const uplinkPlanner =
    uplinkHosts &&
    createUplinkPlanner({
      database,
      hosts: uplinkHosts,
      clock,
      log: settings.log,
      wake: () => reconciler.wake('uplink_host'),
    })
  const callers = createCallerCache()
  clearOnChange(database, callers)
  const services: ControlPlaneServices = {
    database,
    settings,
    clock,
    passwords: createPasswordQueue(options.passwords),
    throttle: createLoginThrottle(),
    packetTurns: createPacketTurns(),
    callers,
    ...engines,
    native: portable,
    ...host,
    engine: describeEngine(nameOf(options.engine), { ...engines, ...(multicast && { multicast }) }),
    patience: engines.machines.patience,
    timeseriesQueries: createTimeseriesQueries(engines.timeSeries),
    reconciler,
    feed,
    imports,
    outages,
    makeRoom: createMakeRoom(() => services),
    lateEntries,
    measures,
    tasks: () => tasks.map((task) => task.status()),
    health: createHealthWatch(database, outages),
    started: clock().toISOString(),
    clockAhead: () => databaseClock?.machineAhead() ?? null,
  }
  const watcher = createNotificationWatcher(services)
  const routes = { operations: operationTable, handlers }
  const scheduler = createCallScheduler()
  const app = createApp(services, routes, scheduler)
  const housekeeping = createHousekeeping(services)
  const clockMark = createClockMark({
    database,
    clock,
    log: settings.log,
    corrected: () => reconciler.wake(),
  })
  const collector =
    engines.timeSeries &&
    createCollector({
      database,
      store: engines.timeSeries,
      measurements: engines.measurements,
      own,
      serverId,
      clock,
      log: settings.log,
    })
  const scrubber = createScrubber({
    database,
    volumes: engines.volumes,
    timeSeries: engines.timeSeries,
    clock,
    log: settings.log,
  })
  const evaluator = createEvaluator({
    database,
    store: engines.timeSeries,
    clock,
    feed,
    log: settings.log,
  })
  const background: Task[] = [housekeeping, clockMark, watcher, createRoomTask(services)]
  if (databaseClock) background.push(createClockReading(databaseClock, db, settings))
  /** The tasks that a host may leave to others. */
  const collecting: Task[] = [...(collector ? [collector] : []), evaluator, scrubber]
  const tasks = [
    ...background,
    ...collecting,
    ...(planner ? [planner] : []),
    ...(vpcPlanner ? [vpcPlanner.task] : []),
    ...(uplinkPlanner ? [uplinkPlanner] : []),
    ...reconciler.tasks,
  ]
  return {
    database,
    engines,
    admits: createAdmission(database, settings),
    fetch: (request, info) => calls.of(app.fetch(request, info)),
    openSocket: createSocketOpener(services, routes, scheduler),
    consolePage: (request) => consolePage(services, request),
    async certificatesFor(host) {
      try {
        return await certificatesFor(db, host, settings.externalZones, clock())
      } catch (error) {
        settings.log('finding the certificate of a host failed', error)
        throw error
      }
    },
    health: () => services.health.view(),
    leave: () => services.health.leave(),
    metrics: async () => measures.text(await readGauges(services)),
    bootstrap: (bootstrapOptions) =>
      bootstrap(
        database,
        { passwords: options.passwords, settings, isSimulated: engines.simulation !== undefined },
        clock(),
        bootstrapOptions,
      ),
    async collect() {
      await collector?.round()
    },
    evaluateRules: () => evaluator.round(),
    notify: () => watcher.look(),
    scrub: () => scrubber.scrub(),
    tidy: housekeeping.tidy,
    lookAtClock: clockMark.look,
    async start(startOptions) {
      if (options.reserve && !(await options.reserve.restore())) {
        outages.begin('full', 'found at the start')
      }
      await setUpRack(database, engines.hardware, clock())
      await setUpStoragePools(database, engines, clock())
      if (engines.uplinks) await setUpPorts(database, engines.uplinks)
      await startEngines(engines)
      await followRestore(database, engines)
      await reconciler.start(startOptions)
      await vpcPlanner?.start()
      for (const task of background) await task.start()
      if (options.collects) for (const task of collecting) await task.start()
    },
    async stop() {
      feed.close()
      // The host waits for its clients, but a call whose client is gone may still be in progress.
      await calls.ended()
      for (const task of [...background, ...collecting]) await task.stop()
      host.webhooks?.close()
      host.mail?.close()
      host.imageSources?.close()
      await planner?.stop()
      await vpcPlanner?.stop()
      await uplinkPlanner?.stop()
      await reconciler.stop()
      await imports.close()
      await closeEngines(engines)
      await outages.stop()
      await lateEntries.stop()
      await database.close()
    },
  }
}
