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
import { usual } from '../../kinds/usual.ts'

const SnapshotState = named('SnapshotState', oneOf(...snapshotStates))

const snapshotFields = {
  ...identity,
  project_id: uuid,
  /** Kept after the disk is deleted. */
  disk_id: uuid,
  size: ByteCount,
  state: SnapshotState,
}
export const Snapshot = record('Snapshot', snapshotFields)
const SnapshotConsistency = named('SnapshotConsistency', oneOf(...snapshotConsistencies))
/** A snapshot with the state of the file systems in it. */
const SnapshotDetails = record('SnapshotDetails', {
  ...snapshotFields,
  /** Null until the snapshot is taken, and for snapshots of earlier versions. */
  consistency: SnapshotConsistency.nullable(),
})

const SnapshotCreate = record('SnapshotCreate', { ...identityCreate, disk: NameOrId })

export const snapshotOperations = usual('snapshot', { item: Snapshot })({
  snapshot_list: {},
  snapshot_search: {
    pages: SnapshotDetails,
    columns: ['state', 'size'],
    filters: { state: snapshotStates, consistency: snapshotConsistencies },
  },
  snapshot_view: {},
  snapshot_details_view: {
    route: 'GET',
    extension: true,
    summary: 'Show a snapshot with its consistency',
    answer: SnapshotDetails,
  },
  snapshot_create: {
    summary: 'Take a snapshot of a disk',
    permission: { project: 'create', disk: 'read' },
    body: SnapshotCreate,
  },
  snapshot_delete: { summary: 'Delete a snapshot; disks and images made from it stay' },
  snapshot_deletion: {},
})
