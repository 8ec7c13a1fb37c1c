import { physicalDiskKinds, sledStates } from '../sleds/hardware.ts'
import {
  array,
  boolean,
  ByteCount,
  dateTime,
  int64,
  named,
  oneOf,
  record,
  resultsPage,
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
export const PhysicalDiskResultsPage = resultsPage('PhysicalDisk', PhysicalDisk)

/** A physical disk with its place, what is used of it, and whether it works. */
export const PhysicalDiskDetails = record('PhysicalDiskDetails', {
  ...diskFields,
  /** Its serial number. */
  name: string,
  sled_serial: string,
  slot: int64,
  size: ByteCount,
  used: ByteCount,
  /** False for a disk that has failed or was taken out. */
  healthy: boolean,
})

/** What tells a disk from all others. */
export const PhysicalDiskManufacturerIdentity = record('PhysicalDiskManufacturerIdentity', {
  vendor: string,
  model: string,
  serial: string,
})
/** A disk in a sled that is not used. */
const UnadoptedPhysicalDisk = record('UnadoptedPhysicalDisk', {
  disk_id: PhysicalDiskManufacturerIdentity,
  sled_id: named('SledUuid', uuid),
  slot: int64,
  variant: PhysicalDiskKind,
})
export const UnadoptedPhysicalDiskResultsPage = resultsPage(
  'UnadoptedPhysicalDisk',
  UnadoptedPhysicalDisk,
)
export const PhysicalDiskAdoptionRequest = record('PhysicalDiskAdoptionRequest', {
  id: named('PhysicalDiskAdoptionRequestUuid', uuid),
  disk_id: PhysicalDiskManufacturerIdentity,
  time_created: dateTime,
})
export const PhysicalDiskAdoptionRequestResultsPage = resultsPage(
  'PhysicalDiskAdoptionRequest',
  PhysicalDiskAdoptionRequest,
)

/** A replica of a disk that is made anew, or waits for room. */
const ReplicaRepair = record('ReplicaRepair', {
  disk_id: uuid,
  size: ByteCount,
  state: oneOf('repairing', 'lost'),
  sled_serial: string,
  physical_disk_serial: string,
  time_started: dateTime.nullable(),
  time_repaired: dateTime.nullable(),
})
/** Which replicas of disks are not as they should be. */
export const DiskReplicaSummary = record('DiskReplicaSummary', {
  /** Being made anew, and waiting for room. */
  repairing: uint64,
  lost: uint64,
  /** When the last of the repairs that are going on ends. */
  time_repaired: dateTime.nullable(),
  /** The first of them to end; at most a hundred. */
  items: array(ReplicaRepair),
})
