import { physicalDiskKinds, sledStates } from '../rules/hardware.ts'
import {
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
  uuid,
} from '../schema.ts'

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
  sled_serial: string,
  slot: int64,
  size: ByteCount,
  used: ByteCount,
  /** False for a disk that has failed or was taken out. */
  healthy: boolean,
})
