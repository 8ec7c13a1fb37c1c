import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import type { Column } from '../../ui/column.ts'
import { Size, Truncate } from '../../ui/text.tsx'
import type { SnapshotRow } from './queries.ts'
import { SnapshotConsistency, SnapshotDiskCell, SnapshotStateBadge } from './snapshot-cells.tsx'

export const snapshotColumns = (project: string): Column<SnapshotRow>[] => [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => <Truncate text={name} className="font-medium" />,
  },
  descriptionColumn,
  {
    id: 'disk',
    header: 'disk',
    cell: ({ diskId }) => <SnapshotDiskCell project={project} diskId={diskId} />,
    phone: 'second',
    labelled: true,
  },
  {
    id: 'state',
    header: 'state',
    sort: 'state',
    width: 128,
    phone: 'first',
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
  {
    id: 'size',
    header: 'size',
    sort: 'size',
    cell: ({ size }) => <Size bytes={size} />,
    align: 'end',
    width: 96,
    phone: 'second',
  },
  createdColumn,
]
