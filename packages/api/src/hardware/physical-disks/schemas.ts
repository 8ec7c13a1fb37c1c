import { physicalDiskKinds, sledStates } from '../sleds/hardware.ts'
import {
  boolean,
  ByteCount,
  dateTime,
  int64,
  list,
  named,
  oneOf,
  record,
  shortText,
  string,
  tagged,
  uint64,
  uuid,
} from '../../schema.ts'

export const PhysicalDiskKind = named('PhysicalDiskKind', oneOf(...physicalDiskKinds))
const PhysicalDiskPolicy = named(
  'PhysicalDiskPolicy',
  tagged('kind', { in_service: {}, expunged: {} }),
)
const PhysicalDiskState = named('PhysicalDiskState', oneOf(...sledStates))

const diskFields = {
  id: uuid,
  form_factor: PhysicalDiskKind,
  model: string,
  policy: PhysicalDiskPolicy,
  serial: string,
  sled_id: uuid.nullable().optional(),
  state: PhysicalDiskState,
  time_created: dateTime,
  time_modified: dateTime,
  vendor: string,
}
export const PhysicalDisk = record('PhysicalDisk', diskFields)

/** A physical disk with its location, usage and health. */
export const PhysicalDiskDetails = record('PhysicalDiskDetails', {
  ...diskFields,
  /** Serial number of the disk. */
  name: string,
  sled_serial: string,
  slot: int64,
  size: ByteCount,
  used: ByteCount,
  /** False for a disk that has failed or been removed. */
  healthy: boolean,
})

/** Unique identity of a disk. */
export const PhysicalDiskManufacturerIdentity = record('PhysicalDiskManufacturerIdentity', {
  vendor: shortText,
  model: shortText,
  serial: shortText,
})
/** A disk in a sled that is not in use. */
export const UnadoptedPhysicalDisk = record('UnadoptedPhysicalDisk', {
  disk_id: PhysicalDiskManufacturerIdentity,
  sled_id: named('SledUuid', uuid),
  slot: int64,
  variant: PhysicalDiskKind,
})
export const PhysicalDiskAdoptionRequest = record('PhysicalDiskAdoptionRequest', {
  id: named('PhysicalDiskAdoptionRequestUuid', uuid),
  disk_id: PhysicalDiskManufacturerIdentity,
  time_created: dateTime,
})

/** A replica of a disk that is being rebuilt, or waits for space. */
const ReplicaRepair = record('ReplicaRepair', {
  disk_id: uuid,
  size: ByteCount,
  state: oneOf('repairing', 'lost'),
  sled_serial: string,
  physical_disk_serial: string,
  time_started: dateTime.nullable(),
  time_repaired: dateTime.nullable(),
})
/** Replicas of disks that are not healthy. */
export const DiskReplicaSummary = record('DiskReplicaSummary', {
  /** Being rebuilt, and waiting for space. */
  repairing: uint64,
  lost: uint64,
  /** Estimated end of the last repair in progress. */
  time_repaired: dateTime.nullable(),
  /** In order of completion; at most a hundred. */
  items: list(ReplicaRepair),
})
