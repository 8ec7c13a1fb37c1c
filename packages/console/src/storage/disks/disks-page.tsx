import type { Disk } from '@steading/api/client'
import { diskIsTransitioning } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { HardDrive } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../data/api.ts'
import { useDiskActions } from './disk-actions.tsx'
import { diskListDefinition, instanceNamesQuery } from './queries.ts'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { DiskStateBadge, diskTypeLabel, ReadOnlyTag } from './disk-state.tsx'
import type { ListColumn } from '../../page/columns.tsx'
import { CellLink } from '../../ui/link.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { DiskSourceCell } from './disk-source-cell.tsx'

const diskColumns = ({ project }: { project: string }): ListColumn<Disk>[] => [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name, readOnly }) => (
      <span className="flex min-w-0 items-center gap-2">
        <CellLink to="/projects/$project/disks/$disk" params={{ project, disk: name }}>
          {name}
        </CellLink>
        {readOnly && <ReadOnlyTag />}
      </span>
    ),
  },
  {
    id: 'instance',
    header: 'Instance',
    phone: 'second',
    labelled: true,
    cell: ({ state }) =>
      'instance' in state ? <InstanceCell project={project} id={state.instance} /> : null,
  },
  {
    id: 'type',
    header: 'Type',
    sort: 'type',
    width: 92,
    spare: 2,
    cell: ({ diskType }) => diskTypeLabel[diskType],
  },
  { id: 'size', width: 88 },
  {
    id: 'source',
    header: 'Source',
    width: 120,
    cell: (disk) => <DiskSourceCell disk={disk} />,
  },
  {
    id: 'state',
    width: 152,
    cell: ({ state }) => <DiskStateBadge state={state} />,
  },
  'created',
  { id: 'description', optional: true },
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
    >
      {name}
    </CellLink>
  )
}

const disks = resourceList({
  list: diskListDefinition,
  noun: 'disk',
  icon: HardDrive,
  docs: {
    topic: 'disks',
    summary:
      'Disks hold the data of instances. A disk is attached to one instance at a time and outlives it.',
  },
  path: '/projects/$project/disks',
  item: '/projects/$project/disks/$disk',
  columns: diskColumns,
  busy: ({ state }) => diskIsTransitioning(state.state),
  bulk: true,
  create: { calls: 'diskCreate' },
})

export function DisksPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  return <ResourceList of={disks} within={{ project }} actions={useDiskActions(project)} />
}
