import type { Snapshot } from '@steading/api/client'
import type { Column } from '../ui/table.tsx'
import { Description, Size, Truncate } from '../ui/text.tsx'
import { DateTime } from '../ui/time.tsx'
import { SnapshotDiskCell } from './snapshot-disk.tsx'
import { SnapshotStateBadge } from './snapshot-state.tsx'

export const snapshotColumns = (project: string): Column<Snapshot>[] => [
  { header: 'name', cell: ({ name }) => <Truncate text={name} className="max-w-56 font-medium" /> },
  {
    header: 'description',
    cell: ({ description }) => <Description text={description} />,
    className: 'max-w-52',
  },
  {
    header: 'disk',
    cell: ({ diskId }) => <SnapshotDiskCell project={project} diskId={diskId} />,
    className: 'max-w-52',
  },
  { header: 'state', cell: ({ state }) => <SnapshotStateBadge state={state} /> },
  { header: 'size', cell: ({ size }) => <Size bytes={size} />, align: 'end' },
  { header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
]
