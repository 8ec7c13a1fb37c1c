import type { Snapshot } from '@steading/api/client'
import { createdColumn, descriptionColumn } from '../page/columns.tsx'
import type { Column } from '../ui/column.ts'
import { Size, Truncate } from '../ui/text.tsx'
import { SnapshotDiskCell } from './snapshot-disk.tsx'
import { SnapshotStateBadge } from './snapshot-state.tsx'

export const snapshotColumns = (project: string): Column<Snapshot>[] => [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => <Truncate text={name} className="max-w-56 font-medium" />,
  },
  { ...descriptionColumn, className: 'max-w-52' },
  {
    id: 'disk',
    header: 'disk',
    cell: ({ diskId }) => <SnapshotDiskCell project={project} diskId={diskId} />,
    className: 'max-w-52',
  },
  {
    id: 'state',
    header: 'state',
    sort: 'state',
    cell: ({ state }) => <SnapshotStateBadge state={state} />,
  },
  {
    id: 'size',
    header: 'size',
    sort: 'size',
    cell: ({ size }) => <Size bytes={size} />,
    align: 'end',
  },
  createdColumn,
]
