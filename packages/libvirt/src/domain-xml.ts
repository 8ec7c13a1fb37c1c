/** libvirt's description of a machine. */
import type { MachineSpec } from '@steading/control-plane/ports'
import { type Accelerator, cpuXml } from './accelerator.ts'
import { domainName } from './domain-names.ts'
import type { Firmware } from '@steading/api/rules'
import { interfaceXml, isAttached } from './networks/attachment.ts'
import { QEMU_NAMESPACE, userNetworksXml } from './networks/user-network.ts'
import { ARCHITECTURE, MACHINE } from './native/libvirt.ts'
import { type Content, element, type Xml } from './xml.ts'

/** Namespace of our element in the metadata of a domain. */
export const METADATA_NAMESPACE = 'https://steading.dev/xml/libvirt/1'

/** Files and sockets of a machine. */
export interface MachinePaths {
  /** The CD with the first settings of the guest. */
  seed: string
  /** The NVRAM of UEFI. */
  nvram: string
  /** Output of the serial console. */
  log: string
  serialSocket: string
  vncSocket: string
  /** Of the agent in the guest. */
  agentSocket: string
}

/** A lease of sanlock, without which a guest does not run. */
export interface Lease {
  lockspace: string
  key: string
  path: string
}

export interface DomainOptions {
  /** Id of the machine, and UUID of the domain. */
  id: string
  /** Identifies the data directory whose control plane owns the domain. */
  owner: string
  spec: MachineSpec
  accelerator: Accelerator
  firmware: Firmware
  paths: MachinePaths
  /**
   * Whether the machine can move to another host: then no host keeps what another one may read or
   * write.
   */
  canMove: boolean
  /** Undefined where guests have no leases. Hosts without sanlock ignore it. */
  lease?: Lease
}

/** The data directory whose control plane made a domain, by its metadata. */
export const ownerIn = (metadata: string | undefined): string | undefined =>
  metadata === undefined ? undefined : /\bowner=["']([^"']*)["']/.exec(metadata)?.[1]

/** Longest serial number of a virtio disk. Characters. */
const SERIAL_LENGTH = 20

/** The serial number of a disk, by which its guest finds it in `/dev/disk/by-id`. */
export const diskSerial = (volumeId: string): string => volumeId.slice(0, SERIAL_LENGTH)

type Volume = MachineSpec['volumes'][number]

/** Target of the CD with the settings of the guest, which no snapshot contains. */
export const SEED_TARGET = 'sda'

/** `vda`, `vdb`…; CDs, which follow that with the settings, are `sdb`, `sdc`… */
export const diskTarget = ({ cd }: Pick<Volume, 'cd'>, index: number): string =>
  cd ? `sd${String.fromCodePoint(98 + index)}` : `vd${String.fromCodePoint(97 + index)}`

const disk = (volume: Volume, index: number, order: number | undefined, canMove: boolean): Xml => {
  const { id, source, readOnly, cd } = volume
  return element(
    'disk',
    { type: 'file', device: cd ? 'cdrom' : 'disk' },
    element('driver', {
      name: 'qemu',
      type: source.format,
      ...(canMove && { cache: 'none' }),
      // Blocks that a guest discards become holes again.
      ...(!cd && { discard: 'unmap', detect_zeroes: 'unmap' }),
      // A guest whose disk cannot be written or read waits, instead of losing what it writes.
      error_policy: 'stop',
    }),
    element('source', { file: source.path }),
    element('target', { dev: diskTarget(volume, index), bus: cd ? 'scsi' : 'virtio' }),
    element('serial', {}, diskSerial(id)),
    order === undefined ? undefined : element('boot', { order }),
    readOnly ? element('readonly') : undefined,
  )
}

const seedCd = (path: string): Content => [
  // A kernel for clouds has no driver for the CD drives of a PC.
  element('controller', { type: 'scsi', index: 0, model: 'virtio-scsi' }),
  element(
    'disk',
    { type: 'file', device: 'cdrom' },
    element('driver', { name: 'qemu', type: 'raw' }),
    element('source', { file: path }),
    element('target', { dev: SEED_TARGET, bus: 'scsi' }),
    element('readonly'),
  ),
]

const serial = ({ serialSocket, log }: MachinePaths): Xml =>
  element(
    'serial',
    { type: 'unix' },
    element('source', { mode: 'bind', path: serialSocket }),
    // Kept by libvirt, also while no control plane runs.
    element('log', { file: log, append: 'on' }),
    element('target', { port: 0 }),
  )

/**
 * The volumes that a machine boots from: the boot disk first, then CDs, from which a system is
 * installed on an empty boot disk; without a boot disk, all in the order of their slots.
 */
export function bootVolumes({ volumes }: Pick<MachineSpec, 'volumes'>): MachineSpec['volumes'] {
  const hasBootDisk = volumes.some(({ boot }) => boot)
  return volumes
    .filter(({ boot, cd }) => boot || cd || !hasBootDisk)
    .toSorted((a, b) => Number(b.boot) - Number(a.boot))
}

const osXml = (firmware: Firmware, nvram: string): Xml => {
  const type = element('type', { arch: ARCHITECTURE, machine: MACHINE }, 'hvm')
  if (firmware === 'bios') return element('os', {}, type)
  return element(
    'os',
    { firmware: 'efi' },
    type,
    // It would need keys that are enrolled, and a board with other abilities.
    element('firmware', {}, element('feature', { enabled: 'no', name: 'secure-boot' })),
    element('nvram', {}, nvram),
  )
}

export const leaseXml = ({ lockspace, key, path }: Lease): Xml =>
  element(
    'lease',
    {},
    element('lockspace', {}, lockspace),
    element('key', {}, key),
    element('target', { path }),
  )

/** The definition of a machine's domain. */
export function domainXml({
  id,
  owner,
  spec,
  accelerator,
  firmware,
  paths,
  canMove,
  lease,
}: DomainOptions): string {
  const orders = new Map(bootVolumes(spec).map((volume, index) => [volume.id, index + 1]))
  return element(
    'domain',
    { type: accelerator, 'xmlns:qemu': QEMU_NAMESPACE },
    element('name', {}, domainName(id)),
    element('uuid', {}, id),
    element('title', {}, spec.name),
    element(
      'metadata',
      {},
      element('steading:machine', { 'xmlns:steading': METADATA_NAMESPACE, owner }),
    ),
    element('memory', { unit: 'b' }, spec.memory),
    element('vcpu', {}, spec.ncpus),
    osXml(firmware, paths.nvram),
    element('features', {}, element('acpi'), element('apic')),
    cpuXml(accelerator),
    element(
      'clock',
      { offset: 'utc' },
      element('timer', { name: 'rtc', tickpolicy: 'catchup' }),
      element('timer', { name: 'pit', tickpolicy: 'delay' }),
      element('timer', { name: 'hpet', present: 'no' }),
    ),
    element('on_poweroff', {}, 'destroy'),
    element('on_reboot', {}, 'restart'),
    element('on_crash', {}, 'destroy'),
    // By libvirt, so that it does not count as an end that the guest wanted.
    lease && element('on_lockfailure', {}, 'poweroff'),
    element(
      'pm',
      {},
      element('suspend-to-mem', { enabled: 'no' }),
      element('suspend-to-disk', { enabled: 'no' }),
    ),
    element(
      'devices',
      {},
      spec.volumes.map((volume, index) => disk(volume, index, orders.get(volume.id), canMove)),
      seedCd(paths.seed),
      lease && leaseXml(lease),
      spec.interfaces.map(interfaceXml),
      serial(paths),
      element('console', { type: 'unix' }, element('target', { type: 'serial', port: 0 })),
      element(
        'channel',
        { type: 'unix' },
        // libvirt's own path grows with its directory and the number of the domain, and paths of
        // sockets have a limit.
        element('source', { mode: 'bind', path: paths.agentSocket }),
        element('target', { type: 'virtio', name: 'org.qemu.guest_agent.0' }),
      ),
      element(
        'graphics',
        // Nobody ends the connection of another viewer.
        { type: 'vnc', sharePolicy: 'force-shared' },
        element('listen', { type: 'socket', socket: paths.vncSocket }),
      ),
      element(
        'video',
        {},
        element('model', { type: 'vga', vram: 16384, heads: 1, primary: 'yes' }),
      ),
      element('input', { type: 'tablet', bus: 'virtio' }),
      element('rng', { model: 'virtio' }, element('backend', { model: 'random' }, '/dev/urandom')),
      element('memballoon', { model: 'virtio' }, element('stats', { period: 5 })),
      element('panic', { model: 'isa' }),
    ),
    isAttached(spec) ? undefined : userNetworksXml(spec.interfaces),
  ).xml
}
