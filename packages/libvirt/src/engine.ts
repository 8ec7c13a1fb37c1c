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
  type Hosts,
} from '@steading/control-plane/ports'
import { composeEngine } from '@steading/control-plane/engine'
import { findAccelerator } from './accelerator.ts'
import { createAgents } from './agents.ts'
import { createDiskSwitch, createDomainDisks, OtherHostError } from './domain-disks.ts'
import { createConsoles } from './consoles.ts'
import { createDisplays } from './displays.ts'
import { createFirmware } from './firmware.ts'
import { openFiles, qemuUser } from './files.ts'
import { createHosts } from './hosts/hosts.ts'
import { createHost, hostSerial, type LocalHost } from './host.ts'
import { createMachines } from './machines.ts'
import { createMeasurements } from './measurements/measurements.ts'
import { libvirtMigrations } from './migrations/index.ts'
import { loadArchive } from './native/archive.ts'
import { LibvirtError } from './native/errors.ts'
import { callLimits } from './native/lanes.ts'
import { type Libvirt, openLibvirt } from './native/libvirt.ts'
import { createNetworks } from './networks/networks.ts'
import { defaults, defaultUri, type LibvirtOptions } from './options.ts'
import { settleOwner } from './owner.ts'
import { createPauses } from './pauses.ts'
import { createRows } from './rows.ts'
import { createKeyedQueue } from './keyed-queue.ts'
import { layerPaths } from './volumes/layer-files.ts'
import { createVolumesBackup } from './volumes/backup.ts'
import { createQcow2Volumes, type Qcow2Volumes } from './volumes/volumes.ts'
import './machine-tables.ts'
import './networks/tables.ts'

/** The ports that this engine implements. */
export type LibvirtEngines = Pick<
  Engines,
  'hardware' | 'machines' | 'networking' | 'consoles' | 'measurements'
> & {
  volumes: Qcow2Volumes
  displays: Displays
  hosts: Hosts
  /** The host, once libvirt answers. */
  host: () => Promise<LocalHost>
}

export type LibvirtEngineOptions = Partial<LibvirtOptions> & Pick<LibvirtOptions, 'directory'>

/** The directory of the volumes. */
const volumesOf = ({ directory, volumes }: Pick<LibvirtOptions, 'directory' | 'volumes'>): string =>
  volumes ?? join(directory, 'volumes')

export function createLibvirtEngines(
  context: EngineContext,
  given: LibvirtEngineOptions,
): LibvirtEngines {
  const options: LibvirtOptions = { uri: defaultUri(), ...defaults, ...given }
  const volumesDirectory = volumesOf(options)
  const { serial, hardware, report } = createHost(context, volumesDirectory, options)
  let opened: Promise<LocalHost> | undefined
  let libvirt: Libvirt | undefined
  const open = async (): Promise<LocalHost> => {
    await loadArchive()
    libvirt = await openLibvirt(options.uri, { ...callLimits, ...options.callLimits })
    try {
      const user = qemuUser(await libvirt.capabilities())
      const files = await openFiles(options.directory, volumesDirectory, user)
      await settleOwner(context.database, files.owner, context.log)
      return { serial, libvirt, files, accelerator: await findAccelerator(libvirt, files.shared) }
    } catch (error) {
      await libvirt.close()
      libvirt = undefined
      throw error
    }
  }
  /** Tries again after a failure: libvirt may be started later. */
  const host = (): Promise<LocalHost> =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    }))
  const connection = async () => (await host()).libvirt
  const rows = createRows(context.database)
  const files = async () => (await host()).files
  const consoles = createConsoles(rows, serial, files, context.log)
  /** The starts of machines, which take turns with snapshots. */
  const starts = createKeyedQueue()
  const agents = createAgents(rows, options.agentSeconds)
  const volumes = createQcow2Volumes(context, {
    directory: volumesDirectory,
    ...(options.volumes === undefined
      ? {}
      : { isChosen: true, sockets: join(options.directory, 'sockets') }),
    keepFree: options.keepFree,
    domains: createDomainDisks(createDiskSwitch(rows, serial, connection, agents), starts),
  })
  const networking = createNetworks({
    database: context.database,
    rows,
    listening: { host: serial, address: options.forwardAddress, range: options.forwardPorts },
    libvirt: connection,
    forwarder: options.forwarder,
    log: context.log,
    scanMs: options.scanMs,
  })
  const hosts = createHosts({
    ...context,
    rows,
    serial,
    local: host,
    libvirt: options,
    volumes: volumesDirectory,
    reportMs: options.reportMs,
  })
  const pauses = createPauses(volumesDirectory, options.keepFree + options.resumeFree)
  const machines = createMachines({
    ...context,
    rows,
    consoles,
    serial,
    local: host,
    report,
    pauses,
    starts,
    agents,
    abandon: () => libvirt?.abandon(),
    firmware: createFirmware(volumes, context.log),
    sourceOf: volumes.sourceOf,
    options,
  })
  return {
    host,
    hardware,
    machines,
    networking,
    hosts,
    volumes,
    consoles,
    displays: createDisplays(rows, serial, host),
    measurements: createMeasurements(context, rows, serial, connection, volumesDirectory),
  }
}

/** A backup of the volumes. libvirt is needed only if machines run. */
function createLibvirtBackup(
  { database }: Pick<EngineContext, 'database'>,
  { directory, volumes, uri = defaultUri() }: LibvirtEngineOptions,
): EngineBackup {
  let opened: Promise<Libvirt> | undefined
  const libvirt = () => (opened ??= openLibvirt(uri))
  const { stateOf, switchDisks } = createDiskSwitch(createRows(database), hostSerial(), libvirt)
  const backup = createVolumesBackup(database, volumesOf({ directory, volumes }), {
    stateOf,
    switchDisks: (...args) =>
      switchDisks(...args).catch((error: unknown) => {
        if (!(error instanceof LibvirtError || error instanceof OtherHostError)) throw error
        throw new BackupError(`a disk of a running machine cannot be kept: ${error.message}`)
      }),
  })
  return {
    ...backup,
    async close() {
      await backup.close()
      await (await opened?.catch(() => undefined))?.close()
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
      'consoles',
      'displays',
      'networking',
      'hosts',
      'measurements',
    ],
    migrations: libvirtMigrations,
    open: (context) => createLibvirtEngines(context, options),
    volumeFiles: (db) => layerPaths(db, volumesOf(options)),
    backup: (context) => createLibvirtBackup(context, options),
  })
