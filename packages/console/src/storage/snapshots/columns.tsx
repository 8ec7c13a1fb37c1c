import type { ListColumn } from '../../page/columns.tsx'
import type { SnapshotRow } from './queries.ts'
import { SnapshotConsistency, SnapshotDiskCell, SnapshotStateBadge } from './snapshot-cells.tsx'

export const snapshotColumns = ({ project }: { project: string }): ListColumn<SnapshotRow>[] => [
  'name',
  'description',
  {
    id: 'disk',
    header: 'disk',
    cell: ({ diskId }) => <SnapshotDiskCell project={project} diskId={diskId} />,
    phone: 'second',
    labelled: true,
  },
  {
    id: 'state',
    cell: ({ state }) => <SnapshotStateBadge state={state} />,
  },
  {
    id: 'consistency',
    header: 'consistency',
    width: 200,
    phone: 'second',
    labelled: true,
    cell: ({ consistency }) => <SnapshotConsistency consistency={consistency} />,
  },
  'size',
  'created',
]
