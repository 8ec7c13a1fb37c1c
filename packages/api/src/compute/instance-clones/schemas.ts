import { InstanceNetworkInterfaceAttachment } from '../../networking/network-interfaces/schemas.ts'
import { ExternalIpCreate } from '../../networking/external-ips/schemas.ts'
import { MulticastGroupJoinSpec } from '../../networking/multicast-groups/schemas.ts'
import {
  array,
  boolean,
  dateTime,
  identityCreate,
  Name,
  named,
  NameOrId,
  oneOf,
  record,
  ruledArray,
  string,
  uint32,
  uuid,
} from '../../schema.ts'
import { INSTANCE_MAX_AFFINITY_GROUPS } from '../affinity/rules.ts'
import {
  INSTANCE_MAX_DISKS,
  INSTANCE_MAX_EXTERNAL_IPS,
  INSTANCE_MAX_MULTICAST_GROUPS,
  INSTANCE_MAX_SSH_KEYS,
} from '../instances/rules.ts'
import { Hostname, userData } from '../instances/schemas.ts'
import { cloneStates } from './rules.ts'

/** An attached disk of the source that comes along. */
const InstanceCloneDisk = record('InstanceCloneDisk', {
  disk: NameOrId,
  /** Name of the copy. */
  name: Name,
  /** A snapshot of the disk; null takes one now, and deletes it after the copy is made. */
  snapshot: NameOrId.nullable().default(null),
})

/** The new instance; null takes a property from the source. */
export const InstanceCloneCreate = record('InstanceCloneCreate', {
  ...identityCreate,
  /** Null: the name. */
  hostname: Hostname.nullable().default(null),
  /** A project of the silo; null: that of the source. */
  project: NameOrId.nullable().default(null),
  /**
   * Null: all disks, with derived names. Snapshots that are taken now are of one moment. Local disks
   * come along empty, and read-only ones are made of the same snapshot or image.
   */
  disks: array(InstanceCloneDisk, INSTANCE_MAX_DISKS).nullable().default(null),
  /** Null: the same interfaces, in subnets of the same names, with new addresses. */
  network_interfaces: InstanceNetworkInterfaceAttachment.nullable().default(null),
  /** Null: ephemeral addresses of the same pools. Floating IPs stay with the source. */
  external_ips: ruledArray(ExternalIpCreate, INSTANCE_MAX_EXTERNAL_IPS).nullable().default(null),
  multicast_groups: ruledArray(MulticastGroupJoinSpec, INSTANCE_MAX_MULTICAST_GROUPS)
    .nullable()
    .default(null),
  /** Keys of the caller; null: all of them. */
  ssh_public_keys: ruledArray(NameOrId, INSTANCE_MAX_SSH_KEYS).nullable().optional(),
  /** Base64. */
  user_data: userData.nullable().default(null),
  /** Null: those of the source; none in another project. */
  anti_affinity_groups: ruledArray(NameOrId, INSTANCE_MAX_AFFINITY_GROUPS).nullable().default(null),
  affinity_groups: ruledArray(NameOrId, INSTANCE_MAX_AFFINITY_GROUPS).nullable().default(null),
  start: boolean.default(true),
})

/** The making of an instance from another one. */
const InstanceClone = record('InstanceClone', {
  state: named('InstanceCloneState', oneOf(...cloneStates)),
  /** Reason for the failure; null in other states. */
  reason: string.nullable(),
  /** Null if the caller may not read the source, or it was deleted. */
  source_id: uuid.nullable(),
  /** At the time of the clone; null if the caller may not read the source. */
  source_name: string.nullable(),
  /** Null for a source in the same project, or one that the caller may not read. */
  source_project_name: string.nullable(),
  user_name: string,
  time_started: dateTime,
  time_finished: dateTime.nullable(),
  /** Numbers of disks. */
  disks: uint32,
  disks_made: uint32,
  /** Snapshots that were taken for the clone and are not deleted yet. */
  snapshots_left: uint32,
})

export const InstanceCloneView = record('InstanceCloneView', {
  /** Null for an instance that is no clone. */
  clone: InstanceClone.nullable(),
})
