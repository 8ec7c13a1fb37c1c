import { Snapshot, SnapshotCreate, SnapshotDetails } from './schemas.ts'
import { snapshotConsistencies, snapshotStates } from './rules.ts'
import { usual } from '../../kinds/usual.ts'

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
