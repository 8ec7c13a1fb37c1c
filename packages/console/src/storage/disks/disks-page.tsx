import type { Disk } from '@steading/api/client'
import { diskCannot, diskIsTransitioning } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { HardDrive } from 'lucide-react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { invalidate } from '../../data/api.ts'
import { diskListDefinition } from './queries.ts'
import { isAbandonedImport, useAbandonedImportActions } from '../images/abandoned-imports.ts'
import { useDeletion } from '../../workspace/jobs/ask-deletion.ts'
import { ResourceList, resourceList } from '../../page/resource-list.tsx'
import { useSnapshotDisk } from '../snapshots/use-snapshot-disk.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { diskColumns } from './columns.tsx'

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
  alsoReads: ['instanceList'],
})

export function DisksPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  return <ResourceList of={disks} within={{ project }} actions={useDiskActions(project)} />
}

function useDiskActions(project: string): (disk: Disk) => MenuAction[] {
  const remove = useApiAction('diskDelete', {
    onSuccess: (_, { path }) => {
      void invalidate('diskList', 'utilizationView')
      doneToast('Disk', path.disk, 'deleted')
    },
  })
  const snapshotActions = useSnapshotDisk(project, { announced: true })
  const abandonedImportActions = useAbandonedImportActions(project)
  const deletion = useDeletion()
  const deleteAction = ({ id, name, state }: Disk): MenuAction =>
    deletion({
      kind: 'disk',
      id,
      name,
      project,
      cannot: diskCannot('delete', state.state),
      lost: 'Its data is deleted for good.',
      extra: 'Snapshots and images made from it are kept.',
      ...remove({ path: { disk: name }, query: { project } }),
    })
  return (disk) => [
    ...snapshotActions(disk),
    ...(isAbandonedImport(disk) ? abandonedImportActions(disk) : [deleteAction(disk)]),
  ]
}
