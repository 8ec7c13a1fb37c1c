/**
 * Real machines on this host, by libvirt and QEMU. Everything that outlives a server is in domains of
 * libvirt, in files, and in rows of the control plane's database.
 */
import { join } from 'node:path'
import {
  BackupError,
  type Displays,
  type Engine,
  type EngineBackup,
  type EngineContext,
  type Engines,
  type Hardware,
  type HostEnrolment,
  type Hosts,
  type StoragePools,
} from '@steading/control-plane/ports'
import { composeEngine, type OpenDatabase } from '@steading/control-plane/engine'
import { errorMessage, spaceOf } from '@steading/files'
import { createAgents } from './agents.ts'
import { createDiskCopies } from './disk-copies.ts'
import {
  createDiskSwitch,
  createDomainDisks,
  MovingMachineError,
  OtherHostError,
} from './domain-disks.ts'
import { createConsoles } from './consoles.ts'
import { createDisplays } from './displays.ts'
import { createFirmware } from './firmware.ts'
import { createGuardedCalls, type GuardedCalls } from './file-systems/guarded-calls.ts'
import { createHosts } from './hosts/hosts.ts'
import { type AddedHosts, createAddedHosts } from './hosts/added-hosts.ts'
import type { Host, HostSet } from './hosts/host-set.ts'
import { ownHost } from './hosts/own-host.ts'
import { createPoolMounts } from './hosts/pool-mounts.ts'
import { createHost, hostSerial } from './host.ts'
import { createLeaseFiles, type LeaseFiles } from './leases/lease-files.ts'
import { createMachines } from './machines.ts'
import { createMeasurements } from './measurements/measurements.ts'
import { libvirtMigrations } from './migrations/index.ts'
import { LibvirtError } from './native/errors.ts'
import { type Libvirt, openLibvirt } from './native/libvirt.ts'
import { createNetworks } from './networks/networks.ts'
import { defaults, defaultUri, type LibvirtOptions } from './options.ts'
import { settleOwner } from './owner.ts'
import { createPauses } from './pauses.ts'
import { createRows, type Rows } from './rows.ts'
import { createKeyedQueue } from './keyed-queue.ts'
import { layerPaths } from './volumes/layer-files.ts'
import { createVolumesBackup } from './volumes/backup.ts'
import { type AskedHost, examinePools } from './volumes/pools.ts'
import { createQcow2Volumes, type Qcow2Volumes } from './volumes/volumes.ts'
import './machine-tables.ts'
import './networks/tables.ts'

/** The ports that this engine implements. */
export type LibvirtEngines = Pick<
  Engines,
  'hardware' | 'machines' | 'networking' | 'consoles' | 'measurements'
> & {
  volumes: Qcow2Volumes
  storagePools: StoragePools
  displays: Displays
  hosts: Hosts
  enrolment?: HostEnrolment
  /** A host once its libvirt answers: that of this server, or one that operators have added. */
  host: (serial?: string) => Promise<Host>
}

export type LibvirtEngineOptions = Partial<LibvirtOptions> & Pick<LibvirtOptions, 'directory'>

/** The directory of the volumes. */
const volumesOf = ({ directory, volumes }: Pick<LibvirtOptions, 'directory' | 'volumes'>): string =>
  volumes ?? join(directory, 'volumes')

/** The hosts by the options, with what the control plane knows of them as hardware. */
function openHosts(
  context: EngineContext,
  rows: Rows,
  volumes: string,
  options: LibvirtOptions,
  guarded: GuardedCalls,
): {
  set: HostSet
  hardware: Hardware
  report: () => Promise<void>
  own?: { serial: string }
  added?: AddedHosts
  leases?: LeaseFiles
} {
  if (options.addedHosts) {
    const calls = guarded.in(options.directory)
    const leases = createLeaseFiles(options.directory, context.log, calls)
    const added = createAddedHosts({ ...context, rows, leases, calls }, volumes, options)
    return { set: added, hardware: added.hardware, report: async () => {}, added, leases }
  }
  const { serial, hardware, report } = createHost(context, volumes, options)
  const set = ownHost(serial, volumes, options, ({ owner }) =>
    settleOwner(context.database, owner, context.log),
  )
  return { set, hardware, report, own: { serial } }
}

/** The added hosts, which are asked whether they reach a storage pool. */
const askable = async (added: AddedHosts): Promise<AskedHost[]> =>
  (await added.serials()).map((serial) => {
    const libvirt = async () => (await added.of(serial)).libvirt
    return {
      serial,
      sees: async (folder, name) => (await libvirt()).seesFile(folder, name),
      ...createPoolMounts(() => added.addressOf(serial), libvirt),
    }
  })

export function createLibvirtEngines(
  context: EngineContext,
  given: LibvirtEngineOptions,
): LibvirtEngines {
  const options: LibvirtOptions = { uri: defaultUri(), ...defaults, ...given }
  const volumesDirectory = volumesOf(options)
  const rows = createRows(context.database)
  const guarded = createGuardedCalls()
  const { set, hardware, report, own, added, leases } = openHosts(
    context,
    rows,
    volumesDirectory,
    options,
    guarded,
  )
  const consoles = createConsoles(rows, set, context.log)
  /** The starts of machines, which take turns with snapshots. */
  const starts = createKeyedQueue()
  const agents = createAgents(rows, options.agentSeconds)
  const volumes = createQcow2Volumes(context, {
    directory: volumesDirectory,
    ...(options.volumes === undefined && !options.sockets
      ? {}
      : { isChosen: true, sockets: options.sockets ?? join(options.directory, 'sockets') }),
    keepFree: options.keepFree,
    ...(added && { hosts: () => askable(added) }),
    ...(own && {
      ownMounts: createPoolMounts(
        () => options.uri,
        async () => (await set.of(own.serial)).libvirt,
      ),
    }),
    domains: createDomainDisks(createDiskSwitch(rows, set, agents), starts),
    copies: createDiskCopies(rows, set),
  })
  const networking = createNetworks({
    database: context.database,
    rows,
    listening: {
      host: own?.serial ?? '',
      address: options.forwardAddress,
      range: options.forwardPorts,
    },
    hosts: set,
    forwarder: options.forwarder,
    log: context.log,
    scanMs: options.scanMs,
  })
  const hosts = createHosts({
    ...context,
    rows,
    hosts: set,
    own: own?.serial,
    libvirt: options,
    volumes: {
      directory: volumesDirectory,
      space: () => (options.volumes === undefined ? spaceOf : guarded.space)(volumesDirectory),
    },
    reportMs: options.reportMs,
  })
  const pauses = createPauses(
    (row) => volumes.roomFor(rows.spec(row).volumes.map(({ id }) => id)),
    options.resumeFree,
  )
  const machines = createMachines({
    ...context,
    rows,
    consoles,
    hosts: set,
    report,
    pauses,
    starts,
    agents,
    firmware: createFirmware(volumes, context.log),
    leases,
    sourceOf: volumes.sourceOf,
    options,
  })
  return {
    host: async (serial = own?.serial ?? '') => set.of(serial),
    hardware,
    machines: {
      ...machines,
      async start() {
        await added?.start()
        await machines.start()
      },
      async close() {
        await machines.close()
        await added?.close()
        guarded.close()
      },
    },
    networking,
    hosts,
    ...(added && { enrolment: added.enrolment }),
    volumes,
    storagePools: volumes.storagePools,
    consoles,
    displays: createDisplays(rows, set),
    measurements: createMeasurements(context, rows, set, own?.serial),
  }
}

/** The hosts whose machines run while their disks are backed up; each is connected when it is needed. */
function connectHosts(
  { db }: OpenDatabase,
  { uri = defaultUri(), addedHosts }: LibvirtEngineOptions,
) {
  const opened = new Map<string, Promise<Libvirt>>()
  const addressOf = async (serial: string): Promise<string> => {
    if (!addedHosts) return uri
    const row = await db
      .selectFrom('libvirt_host')
      .select('address')
      .where('serial', '=', serial)
      .executeTakeFirst()
    if (row?.address != null) return row.address
    throw new LibvirtError(`There is no host ${serial}`, 0)
  }
  return {
    has: (serial: string) => addedHosts === true || serial === hostSerial(),
    async of(serial: string) {
      const connection = opened.get(serial) ?? addressOf(serial).then((at) => openLibvirt(at))
      opened.set(serial, connection)
      return { libvirt: await connection }
    },
    async close(): Promise<void> {
      for (const connection of opened.values()) {
        await (await connection.catch(() => undefined))?.close()
      }
    },
  }
}

/** A backup of the volumes. libvirt is needed only if machines run. */
function createLibvirtBackup(
  { database }: Pick<EngineContext, 'database'>,
  options: LibvirtEngineOptions,
): EngineBackup {
  const hosts = connectHosts(database, options)
  const { stateOf, switchDisks } = createDiskSwitch(createRows(database), hosts)
  const backup = createVolumesBackup(database, volumesOf(options), {
    stateOf,
    switchDisks: (id, ...args) =>
      switchDisks(id, ...args).catch(async (error: unknown) => {
        if (!(error instanceof LibvirtError || error instanceof OtherHostError)) throw error
        // libvirt refuses a change of the disks of a guest that moves.
        if ((await stateOf(id)) === 'moving') throw new MovingMachineError(errorMessage(error))
        throw new BackupError(
          `a disk of the running instance ${id} cannot be kept: ${errorMessage(error)}`,
        )
      }),
  })
  return {
    ...backup,
    async close() {
      await backup.close()
      await hosts.close()
    },
  }
}

/** Real machines on this host, with their volumes. */
export const libvirtEngine = (options: LibvirtEngineOptions): Engine<LibvirtEngines> =>
  composeEngine<LibvirtEngines>({
    name: 'libvirt',
    ports: [
      'hardware',
      'machines',
      'volumes',
      'storagePools',
      'consoles',
      'displays',
      'networking',
      'hosts',
      ...(options.addedHosts ? (['enrolment'] as const) : []),
      'measurements',
    ],
    migrations: libvirtMigrations,
    open: (context) => createLibvirtEngines(context, options),
    volumeFiles: (db) => layerPaths(db, volumesOf(options)),
    examinePools,
    backup: (context) => createLibvirtBackup(context, options),
  })
