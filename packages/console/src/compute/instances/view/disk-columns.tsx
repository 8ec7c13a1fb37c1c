import type { Disk } from '@steading/api/client'
import { DiskSourceCell } from '../../../storage/disks/disk-source-cell.tsx'
import { DiskStateBadge, diskTypeLabel, ReadOnlyTag } from '../../../storage/disks/disk-state.tsx'
import { CellButton } from '../../../ui/cells.tsx'
import type { Column } from '../../../ui/column.ts'
import { Size } from '../../../ui/text.tsx'
import { DateTime } from '../../../ui/time.tsx'

/** The columns of both tables of the storage tab, at the same widths. */
export const instanceDiskColumns = (onOpen: (disk: Disk) => void): Column<Disk>[] => [
  {
    id: 'disk',
    header: 'Disk',
    cell: (disk) => (
      <span className="flex min-w-0 items-center gap-2">
        <CellButton onClick={() => onOpen(disk)}>{disk.name}</CellButton>
        {disk.readOnly && <ReadOnlyTag />}
      </span>
    ),
  },
  {
    id: 'type',
    header: 'Type',
    width: 112,
    cell: ({ diskType }) => diskTypeLabel[diskType],
  },
  {
    id: 'size',
    header: 'size',
    align: 'end',
    width: 96,
    phone: 'second',
    cell: ({ size }) => <Size bytes={size} />,
  },
  {
    id: 'source',
    header: 'Source',
    phone: 'second',
    labelled: true,
    cell: (disk) => <DiskSourceCell disk={disk} />,
  },
  {
    id: 'state',
    header: 'state',
    width: 144,
    phone: 'first',
    cell: ({ state }) => (
      <span className="flex min-w-24">
        <DiskStateBadge state={state} />
      </span>
    ),
  },
  {
    id: 'created',
    header: 'created',
    width: 176,
    cell: ({ timeCreated }) => <DateTime date={timeCreated} />,
  },
]
