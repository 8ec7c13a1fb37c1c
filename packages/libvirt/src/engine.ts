/**
 * Real machines on this host, by libvirt and QEMU. Everything that outlives a server is in domains of
 * libvirt, in files, and in rows of the control plane's database.
 */
import type { Engine, EngineParts, Engines, Volumes } from '@steading/control-plane/ports'
import { findAccelerator } from './accelerator.ts'
import { createConsoles } from './consoles.ts'
import { openFiles, qemuUser } from './files.ts'
import { createHost } from './host.ts'
import { createMachines, type LocalHost } from './machines.ts'
import { createMeasurements } from './measurements/measurements.ts'
import { libvirtMigrations } from './migrations/index.ts'
import { openLibvirt } from './native/libvirt.ts'
import { defaults, defaultUri, type LibvirtOptions } from './options.ts'
import { createRows } from './rows.ts'
import './machine-tables.ts'

/** The ports that this engine implements. */
export type LibvirtEngines = Pick<
  Engines,
  'hardware' | 'machines' | 'volumes' | 'consoles' | 'measurements'
> & {
  /** The host, once libvirt answers. */
  host: () => Promise<LocalHost>
}

export type LibvirtEngineOptions = Partial<LibvirtOptions> & Pick<LibvirtOptions, 'directory'>

/** Creates the volumes; they know where a hypervisor opens each one. */
export type CreateVolumes = (parts: EngineParts, options: LibvirtOptions) => Volumes

export function createLibvirtEngines(
  parts: EngineParts,
  given: LibvirtEngineOptions,
  createVolumes: CreateVolumes,
): LibvirtEngines {
  const options: LibvirtOptions = { uri: defaultUri(), ...defaults, ...given }
  const { serial, hardware, report } = createHost(parts, options.directory)
  let opened: Promise<LocalHost> | undefined
  const open = async (): Promise<LocalHost> => {
    const libvirt = await openLibvirt(options.uri)
    try {
      const files = await openFiles(options.directory, qemuUser(await libvirt.capabilities()))
      return { serial, libvirt, files, accelerator: await findAccelerator(libvirt, files.shared) }
    } catch (error) {
      await libvirt.close()
      throw error
    }
  }
  /** Tries again after a failure: libvirt may be started later. */
  const host = (): Promise<LocalHost> =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    }))
  const rows = createRows(parts.database)
  const files = async () => (await host()).files
  const consoles = createConsoles(rows, serial, files, parts.log)
  return {
    host,
    hardware,
    machines: createMachines(rows, consoles, serial, host, parts, report, options),
    volumes: createVolumes(parts, options),
    consoles,
    measurements: createMeasurements(
      parts,
      rows,
      serial,
      async () => (await host()).libvirt,
      options.directory,
    ),
  }
}

/** Real machines on this host, with their volumes. */
export const libvirtEngine = (
  options: LibvirtEngineOptions,
  createVolumes: CreateVolumes,
): Engine<LibvirtEngines> => ({
  name: 'libvirt',
  migrations: libvirtMigrations,
  open: (parts) => createLibvirtEngines(parts, options, createVolumes),
})
