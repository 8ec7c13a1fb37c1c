import { Snapshot, SnapshotCreate, SnapshotDetails } from './schemas.ts'
import { snapshotConsistencies, snapshotStates } from './rules.ts'
import { usual } from '../../kinds/usual.ts'

export const snapshotOperations = usual('snapshot', { item: Snapshot })({
  list: {},
  search: {
    pages: SnapshotDetails,
    columns: ['state', 'size'],
    filters: { state: snapshotStates, consistency: snapshotConsistencies },
  },
  view: {},
  details_view: {
    route: 'GET',
    extension: true,
    summary: 'Show a snapshot with its consistency',
    answer: SnapshotDetails,
  },
  create: {
    summary: 'Take a snapshot of a disk',
    permission: { project: 'create', disk: 'read' },
    body: SnapshotCreate,
  },
  delete: { summary: 'Delete a snapshot; disks and images made from it stay' },
  deletion: {},
})
