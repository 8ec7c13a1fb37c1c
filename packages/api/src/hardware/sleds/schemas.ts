import { cpuPlatforms, provisionPolicies, sledStates } from './hardware.ts'
import { HostFencingStatus } from '../host-fencing/schemas.ts'
import { accelerators } from '../hosts/rules.ts'
import { InstanceState } from '../../compute/instances/states.ts'
import {
  boolean,
  ByteCount,
  dateTime,
  int64,
  list,
  Name,
  named,
  oneOf,
  record,
  shortText,
  string,
  tagged,
  uint16,
  uint32,
  uint64,
  uuid,
} from '../../schema.ts'
import { SledMaintenanceSummary } from '../sled-maintenance/schemas.ts'
import { Baseboard } from '../switches/schemas.ts'

export const SledProvisionPolicy = named('SledProvisionPolicy', oneOf(...provisionPolicies))
export const SledPolicy = named(
  'SledPolicy',
  tagged('kind', { in_service: { provision_policy: SledProvisionPolicy }, expunged: {} }),
)
const SledState = named('SledState', oneOf(...sledStates))

const sledFields = {
  id: uuid,
  baseboard: Baseboard,
  policy: SledPolicy,
  rack_id: uuid,
  slot: uint16.nullable().optional(),
  state: SledState,
  time_created: dateTime,
  time_modified: dateTime,
  usable_hardware_threads: uint32,
  usable_physical_ram: ByteCount,
}
export const Sled = record('Sled', sledFields)

/** The added host whose sled it is. */
const AddedHost = record('AddedHost', {
  id: uuid,
  /** The host name or the IP address in its address. */
  name: string,
  fencing: HostFencingStatus,
})

/** A sled with its usage and health. */
export const SledDetails = record('SledDetails', {
  ...sledFields,
  /** Serial number of the sled. */
  name: string,
  /** False for a sled that has failed or is switched off. */
  responding: boolean,
  /**
   * The host that an operator has added as this sled; null if there is none. Its instances count as
   * running until the host is `fenced`, even if the sled does not respond.
   */
  added_host: AddedHost.nullable(),
  /**
   * Its software is being updated: no instances are placed on it, and its instances migrate away.
   */
  updating: boolean,
  /** Null unless it is in maintenance. */
  maintenance: SledMaintenanceSummary.nullable(),
  cpu_platform: named('SledCpuPlatform', oneOf(...cpuPlatforms)),
  /** Allocated to the instances on the sled. */
  used_hardware_threads: uint32,
  used_physical_ram: ByteCount,
  /** Total size of its disks in service that store volumes. */
  usable_storage: ByteCount,
  used_storage: ByteCount,
})

/** A domain of libvirt that belongs to no instance. */
const OrphanedDomain = record('OrphanedDomain', {
  name: string,
  uuid,
  time_found: dateTime,
  /** Commands that remove it. */
  commands: list(string),
})
/** The software of a host, and the file system that its volumes are on. */
const SledHost = record('SledHost', {
  /** When a server of the host reported this. */
  time_reported: dateTime,
  libvirt_version: string,
  qemu_version: string,
  /** Address of libvirt. */
  uri: string,
  accelerator: named('HostAccelerator', oneOf(...accelerators)),
  /** Why guests are emulated; null with an accelerator. */
  accelerator_problem: string.nullable(),
  /** Why guests boot by BIOS only; null where they boot by UEFI as well. */
  uefi_problem: string.nullable(),
  architecture: string,
  cpu_model: string,
  /** Path of the volumes on the host. */
  storage_path: string,
  storage_size: ByteCount,
  storage_free: ByteCount,
  orphaned_domains: list(OrphanedDomain),
})
/** Null with an engine whose sleds are no hosts of libvirt, and before the host has reported. */
export const SledHostView = record('SledHostView', { host: SledHost.nullable() })

export const SledProvisionPolicyParams = record('SledProvisionPolicyParams', {
  state: SledProvisionPolicy,
})
export const SledProvisionPolicyResponse = record('SledProvisionPolicyResponse', {
  old_state: SledProvisionPolicy,
  new_state: SledProvisionPolicy,
})

export const UninitializedSledId = record('UninitializedSledId', {
  part: shortText,
  serial: shortText,
})
export const SledId = record('SledId', { id: uuid })

/** An instance that fails when its sled is expunged, and its next sled. */
const EvacuatedInstance = record('EvacuatedInstance', {
  id: uuid,
  name: Name,
  silo_name: Name,
  project_name: Name,
  ncpus: int64,
  memory: int64,
  /** Whether it is restarted automatically. */
  restarts: boolean,
  /** The sled with capacity for it at present; null if there is none. */
  sled_serial: string.nullable(),
  /** Reason that no sled can take it. */
  problem: string.nullable(),
})
/** Effects of expunging a sled. */
export const SledExpungePreview = record('SledExpungePreview', {
  instances: list(EvacuatedInstance),
  /** Replicas of disks on it, which are rebuilt elsewhere. */
  replicas: uint64,
  /** Number of these replicas for which there is no space elsewhere. */
  replicas_without_room: uint64,
})

/** An instance that runs on a sled. */
export const SledInstance = record('SledInstance', {
  id: uuid,
  active_sled_id: uuid,
  migration_id: uuid.nullable().optional(),
  name: Name,
  silo_name: Name,
  project_name: Name,
  state: InstanceState,
  ncpus: int64,
  memory: int64,
  time_created: dateTime,
  time_modified: dateTime,
})
