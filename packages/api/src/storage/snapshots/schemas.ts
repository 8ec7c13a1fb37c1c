import { snapshotStates } from './rules.ts'
import {
  ByteCount,
  identity,
  identityCreate,
  named,
  NameOrId,
  oneOf,
  record,
  resultsPage,
  uuid,
} from '../../schema.ts'

export const SnapshotState = named('SnapshotState', oneOf(...snapshotStates))

export const Snapshot = record('Snapshot', {
  ...identity,
  project_id: uuid,
  /** Kept after the disk is deleted. */
  disk_id: uuid,
  size: ByteCount,
  state: SnapshotState,
})
export const SnapshotResultsPage = resultsPage('Snapshot', Snapshot)

export const SnapshotCreate = record('SnapshotCreate', { ...identityCreate, disk: NameOrId })
