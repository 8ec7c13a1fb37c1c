import type { Disk } from '@steading/api/client'
import { DiskSourceCell } from '../disks-list/disk-source-cell.tsx'
import { DiskStateBadge, diskTypeLabel, ReadOnlyTag } from '../disks/disk-state.tsx'
import { CellButton } from '../ui/cells.tsx'
import type { Column } from '../ui/column.ts'
import { Size } from '../ui/text.tsx'
import { DateTime } from '../ui/time.tsx'

/** Both tables of the storage tab have the same columns, at the same widths. */
export const instanceDiskColumns = (onOpen: (disk: Disk) => void): Column<Disk>[] => [
  {
    id: 'disk',
    header: 'Disk',
    className: 'w-[28%]',
    cell: (disk) => (
      <span className="flex max-w-80 min-w-0 items-center gap-2 max-sm:max-w-36">
        <CellButton onClick={() => onOpen(disk)}>{disk.name}</CellButton>
        {disk.readOnly && <ReadOnlyTag />}
      </span>
    ),
  },
  {
    id: 'type',
    header: 'Type',
    className: 'w-[13%]',
    cell: ({ diskType }) => diskTypeLabel[diskType],
  },
  {
    id: 'size',
    header: 'size',
    align: 'end',
    className: 'w-[10%]',
    cell: ({ size }) => <Size bytes={size} />,
  },
  {
    id: 'source',
    header: 'Source',
    className: 'w-[16%]',
    cell: (disk) => <DiskSourceCell disk={disk} />,
  },
  {
    id: 'state',
    header: 'state',
    className: 'w-[13%]',
    cell: ({ state }) => (
      <span className="flex min-w-24">
        <DiskStateBadge state={state} />
      </span>
    ),
  },
  {
    id: 'created',
    header: 'created',
    className: 'w-[16%]',
    cell: ({ timeCreated }) => <DateTime date={timeCreated} />,
  },
]
