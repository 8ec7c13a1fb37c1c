import type {
  DiskCreate,
  DiskPlacement,
  ExternalIpCreate,
  InstanceCreate,
  InstanceAutoRestartPolicy,
  InstanceDiskAttachment,
  InstanceNetworkInterfaceAttachment,
  InstanceNetworkInterfaceCreate,
  IpVersion,
  VirtualResourceCounts,
} from '@steading/api/client'
import { GiB, instancePresets, nameOfParts } from '@steading/api/rules'
import { stringToBase64 } from 'uint8array-extras'
import { ipVersion } from '../external-ips.tsx'
import { poolSelectorOf } from '../../../networking/pools/own-pools.ts'
import { stackVersions } from '../../../networking/network-interfaces/stacks.ts'

/** The image or snapshot that a boot disk is created from. */
export type BootSource = { id: string; name: string; size: number; kind: 'image' | 'snapshot' }

/** The sources of a new boot disk, each with its form field. */
export const sourceFields = {
  silo: 'siloImage',
  project: 'projectImage',
  snapshot: 'bootSnapshot',
} as const satisfies Record<string, keyof InstanceValues>

export type SourceTab = keyof typeof sourceFields

export type HardwareTab = keyof typeof instancePresets | 'custom'
export type BootTab = SourceTab | 'disk'
export type IpVersions = 'dual_stack' | 'ipv4' | 'ipv6'

/** Name of the storage pool of a new disk; empty for the usual one. */
export type ChosenPool = string

/** A disk besides the boot disk, before the instance is created. */
export type QueuedDisk =
  | { action: 'create'; disk: DiskCreate; pool: ChosenPool }
  | { action: 'attach'; name: string; size: number; local: boolean }

/** A floating IP that will be attached to the instance. */
export type ChosenFloatingIp = { name: string; ip: string }

export type InstanceValues = {
  name: string
  description: string
  start: boolean
  hardware: HardwareTab
  /** vCPUs and GiB, as `2-8`. */
  preset: string
  ncpus: number
  /** GiB. */
  memory: number
  boot: BootTab
  siloImage: string
  projectImage: string
  bootSnapshot: string
  /** The name of an existing disk. */
  bootDisk: string
  /** GiB. */
  bootSize: number
  bootName: string
  bootReadOnly: boolean
  bootPool: ChosenPool
  disks: QueuedDisk[]
  sshKeys: string[]
  network: 'default' | 'custom' | 'none'
  ipVersions: IpVersions
  /** The interfaces of "Custom"; the first becomes primary. */
  nics: InstanceNetworkInterfaceCreate[]
  ephemeral4: boolean
  pool4: string
  ephemeral6: boolean
  pool6: string
  floatingIps: ChosenFloatingIp[]
  /** Names. */
  antiAffinityGroups: string[]
  autoRestart: 'default' | InstanceAutoRestartPolicy
  hostname: string
  userDataFrom: 'file' | 'text'
  userData: File | null
  userDataText: string
}

export const presetOf = ({ ncpus, memory }: { ncpus: number; memory: number }) =>
  `${ncpus}-${memory}`

export const firstPreset = (tab: Exclude<HardwareTab, 'custom'>): string =>
  presetOf(instancePresets[tab][0])

type Size = { ncpus: number; memory: number }

/** vCPUs and GiB; NaN while the input is not a number. */
export function sizeOf(
  values: Pick<InstanceValues, 'hardware' | 'preset' | 'ncpus' | 'memory'>,
): Size {
  if (values.hardware === 'custom') return { ncpus: values.ncpus, memory: values.memory }
  const [ncpus = 0, memory = 0] = values.preset.split('-').map(Number)
  return { ncpus, memory }
}

export const queuedName = (queued: QueuedDisk): string =>
  queued.action === 'create' ? queued.disk.name : queued.name

export const queuedSize = (queued: QueuedDisk): number =>
  queued.action === 'create' ? queued.disk.size : queued.size

function bootDiskOf(
  values: InstanceValues,
  source: BootSource | undefined,
  suffix: string,
): InstanceDiskAttachment {
  if (values.boot === 'disk') return { type: 'attach', name: values.bootDisk }
  const id = values[sourceFields[values.boot]]
  const readOnly = values.bootReadOnly
  return {
    type: 'create',
    name: values.bootName || nameOfParts([values.name, source?.name ?? 'boot'], suffix),
    description: `Created as a boot disk for ${values.name}`,
    size: values.bootSize * GiB,
    diskBackend: {
      type: 'distributed',
      diskSource:
        values.boot === 'snapshot'
          ? { type: 'snapshot', snapshotId: id, readOnly }
          : { type: 'image', imageId: id, readOnly },
    },
  }
}

const orZero = (value: number) => (Number.isFinite(value) ? value : 0)

/** Quota used by the instance: storage from creation on, CPUs and memory only while it runs. */
export function requiredQuota(
  values: Pick<
    InstanceValues,
    'hardware' | 'preset' | 'ncpus' | 'memory' | 'boot' | 'bootSize' | 'disks'
  >,
): VirtualResourceCounts {
  const { ncpus, memory } = sizeOf(values)
  const boot = values.boot === 'disk' ? 0 : orZero(values.bootSize) * GiB
  const made = values.disks.filter(({ action }) => action === 'create')
  return {
    cpus: orZero(ncpus),
    memory: orZero(memory) * GiB,
    storage: made.reduce((sum, queued) => sum + queuedSize(queued), boot),
  }
}

export type NetworkValues = Pick<InstanceValues, 'network' | 'ipVersions' | 'nics'>

/** The IP versions of the interface that becomes primary. */
export function primaryVersions({ network, ipVersions, nics }: NetworkValues): IpVersion[] {
  if (network === 'none') return []
  if (network === 'custom') {
    const [first] = nics
    return first ? stackVersions(first.ipConfig?.type ?? 'dual_stack') : []
  }
  return ipVersions === 'dual_stack' ? ['v4', 'v6'] : [ipVersions === 'ipv4' ? 'v4' : 'v6']
}

/** The chosen floating IPs whose version the primary interface supports. */
export const reachableFloatingIps = (
  values: NetworkValues & Pick<InstanceValues, 'floatingIps'>,
): ChosenFloatingIp[] => {
  const versions = primaryVersions(values)
  return values.floatingIps.filter(({ ip }) => versions.includes(ipVersion(ip)))
}

function externalIpsOf(values: InstanceValues): ExternalIpCreate[] {
  const ephemeral = (on: boolean, pool: string): ExternalIpCreate[] =>
    on ? [{ type: 'ephemeral', poolSelector: poolSelectorOf(pool) }] : []
  return [
    ...ephemeral(values.ephemeral4, values.pool4),
    ...ephemeral(values.ephemeral6, values.pool6),
    ...reachableFloatingIps(values).map(({ name }): ExternalIpCreate => ({
      type: 'floating',
      floatingIp: name,
    })),
  ]
}

function interfacesOf({
  network,
  ipVersions,
  nics,
}: NetworkValues): InstanceNetworkInterfaceAttachment {
  if (network === 'none') return { type: 'none' }
  return network === 'custom' ? { type: 'create', params: nics } : { type: `default_${ipVersions}` }
}

/** The user data file; undefined if the user data is text or empty. */
export const userDataFile = ({
  userDataFrom,
  userData,
}: Pick<InstanceValues, 'userDataFrom' | 'userData'>): File | undefined =>
  userDataFrom === 'text' ? undefined : (userData ?? undefined)

function userDataText({ userDataFrom, userDataText: text }: InstanceValues): string | undefined {
  if (userDataFrom !== 'text' || !text) return undefined
  return stringToBase64(text)
}

/**
 * The request body for these values.
 * @param source the image or snapshot of the boot disk
 * @param suffix makes a generated name unique
 * @param fileBase64 content of the user data file
 */
export function toInstanceCreate(
  values: InstanceValues,
  source: BootSource | undefined,
  suffix: string,
  fileBase64?: string,
): InstanceCreate {
  const { ncpus, memory } = sizeOf(values)
  const userData = fileBase64 ?? userDataText(values)
  return {
    name: values.name,
    description: values.description,
    hostname: values.hostname || values.name,
    ncpus,
    memory: memory * GiB,
    bootDisk: bootDiskOf(values, source, suffix),
    disks: values.disks.map((queued) =>
      queued.action === 'create'
        ? { type: 'create', ...queued.disk }
        : { type: 'attach', name: queued.name },
    ),
    sshPublicKeys: values.sshKeys,
    networkInterfaces: interfacesOf(values),
    externalIps: externalIpsOf(values),
    autoRestartPolicy: values.autoRestart === 'default' ? null : values.autoRestart,
    antiAffinityGroups: values.antiAffinityGroups,
    start: values.start,
    ...(userData === undefined ? {} : { userData }),
  }
}

/** The storage pools that were chosen for the new disks of a request. */
export function diskPoolsOf(
  { bootPool, disks }: Pick<InstanceValues, 'bootPool' | 'disks'>,
  { bootDisk }: InstanceCreate,
): DiskPlacement[] {
  const boot = bootDisk?.type === 'create' ? [{ disk: bootDisk.name, pool: bootPool }] : []
  const others = disks.flatMap((queued) =>
    queued.action === 'create' ? [{ disk: queued.disk.name, pool: queued.pool }] : [],
  )
  return [...boot, ...others].filter(({ pool }) => pool)
}
