import { snapshotIsTransitioning } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { Camera } from 'lucide-react'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { useSnapshotActions } from './snapshot-actions.ts'
import { snapshotListDefinition, type SnapshotRow } from './queries.ts'
import type { ListColumn } from '../../page/columns.tsx'
import { SnapshotConsistency, SnapshotDiskCell, SnapshotStateBadge } from './snapshot-cells.tsx'

const snapshotColumns = ({ project }: { project: string }): ListColumn<SnapshotRow>[] => [
  'name',
  { id: 'description', spare: 2 },
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
    spare: 1,
    labelled: true,
    cell: ({ consistency }) => <SnapshotConsistency consistency={consistency} />,
  },
  'size',
  { id: 'created', spare: 3 },
]

const snapshots = resourceList({
  list: snapshotListDefinition,
  noun: 'snapshot',
  icon: Camera,
  docs: {
    topic: 'snapshots',
    summary:
      'A snapshot is a copy of a disk at one point in time. Disks and images made from it outlive it.',
  },
  path: '/projects/$project/snapshots',
  columns: snapshotColumns,
  busy: ({ state }) => snapshotIsTransitioning(state),
  bulk: true,
  create: { calls: 'snapshotCreate' },
})

export function SnapshotsPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  return <ResourceList of={snapshots} within={{ project }} actions={useSnapshotActions(project)} />
}
