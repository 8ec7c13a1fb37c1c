import { snapshotConsistencies, snapshotStates } from './rules.ts'
import {
  ByteCount,
  identity,
  identityCreate,
  named,
  NameOrId,
  oneOf,
  record,
  uuid,
} from '../../schema.ts'

export const SnapshotState = named('SnapshotState', oneOf(...snapshotStates))

const snapshotFields = {
  ...identity,
  project_id: uuid,
  /** Kept after the disk is deleted. */
  disk_id: uuid,
  size: ByteCount,
  state: SnapshotState,
}
export const Snapshot = record('Snapshot', snapshotFields)
export const SnapshotConsistency = named('SnapshotConsistency', oneOf(...snapshotConsistencies))
/** A snapshot with the state of the file systems in it. */
export const SnapshotDetails = record('SnapshotDetails', {
  ...snapshotFields,
  /** Null until the snapshot is taken, and for snapshots of earlier versions. */
  consistency: SnapshotConsistency.nullable(),
})

export const SnapshotCreate = record('SnapshotCreate', { ...identityCreate, disk: NameOrId })
