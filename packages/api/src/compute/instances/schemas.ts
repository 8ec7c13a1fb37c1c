import { SledReference } from '../../hardware/sleds/references.ts'
import { InstanceHostStory } from '../../hardware/host-fencing/schemas.ts'
import { diskCreate } from '../../storage/disks/schemas.ts'
import { attachedDiskBackendChange } from '../../storage/disks/upgrade.ts'
import { ExternalIp, ExternalIpCreate } from '../../networking/external-ips/schemas.ts'
import { MulticastGroupJoinSpec } from '../../networking/multicast-groups/schemas.ts'
import { InstanceNetworkInterfaceAttachment } from '../../networking/network-interfaces/schemas.ts'
import { firmwares } from './firmware.ts'
import { pauseReasons } from './pause.ts'
import { INSTANCE_MAX_AFFINITY_GROUPS } from '../affinity/rules.ts'
import {
  INSTANCE_MAX_DISKS,
  INSTANCE_MAX_EXTERNAL_IPS,
  INSTANCE_MAX_MULTICAST_GROUPS,
  INSTANCE_MAX_SSH_KEYS,
  USER_DATA_MAX,
} from './rules.ts'
import { HOSTNAME_MAX, hostnameProblem } from '../../rules/names.ts'
import {
  boolean,
  ByteCount,
  dateTime,
  identity,
  identityCreate,
  integer,
  list,
  Name,
  named,
  NameOrId,
  oneOf,
  record,
  ruledArray,
  string,
  tagged,
  text,
  uint32,
  uint64,
  uint8,
  uuid,
} from '../../schema.ts'
import { cpuPlatforms } from '../../hardware/sleds/hardware.ts'
import { ip } from '../../network.ts'
import { changed } from '../../versions.ts'
import { InstanceState } from './states.ts'
import { jumboFramesChange, turinV2Change } from './upgrade.ts'

export const InstanceAutoRestartPolicy = named(
  'InstanceAutoRestartPolicy',
  oneOf('never', 'best_effort'),
)
export const InstanceCpuPlatform = changed(
  named('InstanceCpuPlatform', oneOf(...cpuPlatforms)),
  turinV2Change,
)
/** Virtual CPUs. */
export const InstanceCpuCount = named('InstanceCpuCount', integer('uint16', 'u16', 0, 0xffff))

export const Hostname = named(
  'Hostname',
  text(
    HOSTNAME_MAX,
    {
      pattern: '^([a-zA-Z0-9]+[a-zA-Z0-9\\-]*(?<!-))(\\.[a-zA-Z0-9]+[a-zA-Z0-9\\-]*(?<!-))*$',
      minLength: 1,
    },
    hostnameProblem,
  ),
)

/** Base64, standard alphabet; at most 32 KiB decoded. */
const userDataLength = Math.ceil(USER_DATA_MAX / 3) * 4
export const userData = text(userDataLength, { format: 'byte' }, (value) => {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value)) {
    return 'invalid value: user data, expected a valid base64 string'
  }
  const padding = value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0
  const length = (value.length / 4) * 3 - padding
  return length > USER_DATA_MAX ? `invalid length ${length}, expected less than 32 KiB` : undefined
})

/** A disk to create, or one to attach by name. */
export const InstanceDiskAttachment = changed(
  named('InstanceDiskAttachment', tagged('type', { create: diskCreate, attach: { name: Name } })),
  attachedDiskBackendChange,
)

const instanceFields = {
  ...identity,
  project_id: uuid,
  ncpus: InstanceCpuCount,
  memory: ByteCount,
  hostname: string,
  run_state: InstanceState,
  time_run_state_updated: dateTime,
  boot_disk_id: uuid.nullable().optional(),
  auto_restart_enabled: boolean,
  auto_restart_policy: InstanceAutoRestartPolicy.nullable().optional(),
  auto_restart_cooldown_expiration: dateTime.nullable().optional(),
  time_last_auto_restarted: dateTime.nullable().optional(),
  cpu_platform: InstanceCpuPlatform.nullable().optional(),
  enable_jumbo_frames: boolean,
}
export const Instance = record('Instance', instanceFields)
/** The reason for the failure of an instance, and when it is restarted. */
export const InstanceFailure = record('InstanceFailure', {
  /** Null if unknown. */
  reason: string.nullable(),
  /** Earliest time of the automatic restart; null if there is none. */
  time_restart: dateTime.nullable(),
  /** Reason for the failure of the latest restart attempt. */
  restart_problem: string.nullable(),
})
/** The pause of a running instance whose guest waits for its disks. */
export const InstancePause = record('InstancePause', {
  reason: named('InstancePauseReason', oneOf(...pauseReasons)),
  time_paused: dateTime,
})
export const InstanceFailureView = record('InstanceFailureView', {
  /** Null unless the instance has failed. */
  failure: InstanceFailure.nullable(),
  /** Null unless its guest is paused. */
  pause: InstancePause.nullable(),
  /** Of its machine; null without one, and where the engine has none. */
  firmware: named('InstanceFirmware', oneOf(...firmwares)).nullable(),
  /** Whether the machine was started without a boot loader on the boot disk or a CD. */
  nothing_to_boot: boolean,
  /**
   * Seconds for which a stop or a reboot waits for the guest to shut down; null unless the instance is
   * stopping or rebooting, and where the engine waits for no guest.
   */
  guest_wait: uint32.nullable(),
  /** The story of its host that did not answer; null if that was long ago, or never. */
  host_story: InstanceHostStory.nullable(),
})

/** An instance in a searched list, with the data that clients would otherwise request per row. */
export const ListedInstance = record('ListedInstance', {
  ...instanceFields,
  external_ips: list(ExternalIp),
  /** Of all network interfaces, the primary one first. */
  private_ips: list(ip),
  /** The image that the boot disk was created from, which may be deleted; null without one. */
  image_id: uuid.nullable(),
  failure: InstanceFailure.nullable(),
  /** The sled that it runs on; null without one. Only for callers who may read sleds. */
  sled: SledReference.nullable().optional(),
})

/** Fields of all bodies that create an instance. */
export const instanceCreate = {
  ...identityCreate,
  ncpus: InstanceCpuCount,
  memory: ByteCount,
  hostname: Hostname,
  user_data: userData.default(''),
  network_interfaces: InstanceNetworkInterfaceAttachment.default({ type: 'default_dual_stack' }),
  external_ips: ruledArray(ExternalIpCreate, INSTANCE_MAX_EXTERNAL_IPS).default([]),
  multicast_groups: ruledArray(MulticastGroupJoinSpec, INSTANCE_MAX_MULTICAST_GROUPS).default([]),
  disks: ruledArray(InstanceDiskAttachment, INSTANCE_MAX_DISKS).default([]),
  boot_disk: InstanceDiskAttachment.nullable().default(null),
  ssh_public_keys: ruledArray(NameOrId, INSTANCE_MAX_SSH_KEYS).nullable().optional(),
  start: boolean.default(true),
  auto_restart_policy: InstanceAutoRestartPolicy.nullable().default(null),
  anti_affinity_groups: ruledArray(NameOrId, INSTANCE_MAX_AFFINITY_GROUPS).default([]),
  cpu_platform: InstanceCpuPlatform.nullable().default(null),
  enable_jumbo_frames: boolean.default(false),
}
export const InstanceCreate = record('InstanceCreate', instanceCreate)

/** Replaces the whole configuration: every field but the last is required, null clears. */
export const InstanceUpdate = changed(
  record('InstanceUpdate', {
    ncpus: InstanceCpuCount,
    memory: ByteCount,
    boot_disk: NameOrId.nullable(),
    auto_restart_policy: InstanceAutoRestartPolicy.nullable(),
    cpu_platform: InstanceCpuPlatform.nullable(),
    enable_jumbo_frames: boolean,
    multicast_groups: ruledArray(MulticastGroupJoinSpec, INSTANCE_MAX_MULTICAST_GROUPS)
      .nullable()
      .default(null),
  }),
  jumboFramesChange,
)

export const InstanceSerialConsoleData = record('InstanceSerialConsoleData', {
  data: list(uint8),
  /** Bytes since boot, just after the last byte returned. */
  last_byte_offset: uint64,
})

/** Output of the latest boot, kept until the instance is started again or deleted. */
export const SerialConsoleLog = record('SerialConsoleLog', {
  /** Boot ID, as in the stream at `/x/v1`; null if the instance never booted. */
  boot: string.nullable(),
  /** Base64. */
  data: string,
  /** Bytes since boot before the first byte returned; earlier output has been discarded. */
  first_byte_offset: uint64,
  /** Bytes since boot, just after the last byte returned. */
  last_byte_offset: uint64,
})
