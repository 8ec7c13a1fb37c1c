import type { Disk } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../data/api.ts'
import { DiskStateBadge, diskTypeLabel, ReadOnlyBadge } from '../disks/disk-state.tsx'
import { instanceNamesQuery } from '../disks/queries.ts'
import type { Column } from '../ui/column.ts'
import { CellLink } from '../ui/link.tsx'
import { SkeletonCell } from '../ui/table.tsx'
import { Description, EmptyCell, Size } from '../ui/text.tsx'
import { DateTime } from '../ui/time.tsx'
import { DiskSourceCell } from './disk-source-cell.tsx'

export const diskColumns = (project: string): Column<Disk>[] => [
  {
    header: 'name',
    sort: 'name',
    cell: ({ name, readOnly }) => (
      <span className="flex max-w-72 min-w-0 items-center gap-2">
        <CellLink to="/projects/$project/disks/$disk" params={{ project, disk: name }}>
          {name}
        </CellLink>
        {readOnly && <ReadOnlyBadge />}
      </span>
    ),
  },
  {
    header: 'Instance',
    cell: ({ state }) =>
      'instance' in state ? <InstanceCell project={project} id={state.instance} /> : null,
  },
  { header: 'Type', sort: 'type', cell: ({ diskType }) => diskTypeLabel[diskType] },
  { header: 'size', sort: 'size', cell: ({ size }) => <Size bytes={size} />, align: 'end' },
  { header: 'Source', cell: (disk) => <DiskSourceCell disk={disk} />, className: 'max-w-56' },
  { header: 'state', sort: 'state', cell: ({ state }) => <DiskStateBadge state={state} /> },
  {
    header: 'created',
    sort: 'time_created',
    cell: ({ timeCreated }) => <DateTime date={timeCreated} />,
  },
  {
    header: 'description',
    sort: 'description',
    optional: true,
    cell: ({ description }) => <Description text={description} />,
  },
]

function InstanceCell({ project, id }: { project: string; id: string }) {
  const { data: some, isPending: listing } = useQuery(instanceNamesQuery(project))
  const known = some?.items.find((instance) => instance.id === id)?.name
  const { data: one, isPending: looking } = useQuery({
    ...apiQuery('instanceView', { path: { instance: id } }, { allow404: true }),
    enabled: !listing && !known,
  })
  const name = known ?? one?.name
  if (!name) return listing || looking ? <SkeletonCell /> : <EmptyCell />
  return (
    <CellLink
      to="/projects/$project/instances/$instance/storage"
      params={{ project, instance: name }}
      className="max-w-56"
    >
      {name}
    </CellLink>
  )
}
