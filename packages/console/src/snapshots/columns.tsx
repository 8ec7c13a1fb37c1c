import type { Snapshot } from '@steading/api/client'
import type { Column } from '../ui/column.ts'
import { Description, Size, Truncate } from '../ui/text.tsx'
import { DateTime } from '../ui/time.tsx'
import { SnapshotDiskCell } from './snapshot-disk.tsx'
import { SnapshotStateBadge } from './snapshot-state.tsx'

export const snapshotColumns = (project: string): Column<Snapshot>[] => [
  {
    header: 'name',
    sort: 'name',
    cell: ({ name }) => <Truncate text={name} className="max-w-56 font-medium" />,
  },
  {
    header: 'description',
    sort: 'description',
    cell: ({ description }) => <Description text={description} />,
    className: 'max-w-52',
  },
  {
    header: 'disk',
    cell: ({ diskId }) => <SnapshotDiskCell project={project} diskId={diskId} />,
    className: 'max-w-52',
  },
  { header: 'state', sort: 'state', cell: ({ state }) => <SnapshotStateBadge state={state} /> },
  { header: 'size', sort: 'size', cell: ({ size }) => <Size bytes={size} />, align: 'end' },
  {
    header: 'created',
    sort: 'time_created',
    cell: ({ timeCreated }) => <DateTime date={timeCreated} />,
  },
]
