import type { Disk } from '@steading/api/client'
import { diskCannot, diskIsTransitioning } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { HardDrive, Plus } from 'lucide-react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { invalidate } from '../../data/api.ts'
import { useLivePolling } from '../../data/live.ts'
import { projectDisksQuery, diskListDefinition } from './queries.ts'
import { isAbandonedImport, useAbandonedImportActions } from '../images/abandoned-imports.ts'
import { useDeletion } from '../../workspace/jobs/ask-deletion.ts'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { ListPage } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { pathTo } from '../../data/addresses.ts'
import { useListQuickActions } from '../../page/list-quick-actions.ts'
import { useSnapshotDisk } from '../snapshots/use-snapshot-disk.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { diskColumns } from './columns.tsx'

const noun = { one: 'disk', many: 'disks' }

export function DisksPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const list = useDisks(project)
  const bulk = useBulk('disk', list, project)
  const actions = useDiskActions(project)
  useDiskQuickActions(project)
  return (
    <ListPage
      title="Disks"
      label="Disks"
      icon={HardDrive}
      noun={noun}
      docs={{
        topic: 'disks',
        summary:
          'Disks hold the data of instances. A disk is attached to one instance at a time and outlives it.',
      }}
      reads={['diskList', 'instanceList']}
      create={{
        label: 'New disk',
        calls: 'diskCreate',
        icon: Plus,
        path: pathTo('/projects/$project/disks-new', { project }),
      }}
      list={list}
      bulk={bulk}
      actions={actions}
      empty={{ title: 'No disks', body: 'Create a disk to see it here', create: 'New disk' }}
    />
  )
}

/** Without live events, disks in a transitional state are polled more often. */
function useDisks(project: string) {
  const [busy, setBusy] = useState(false)
  const refetchInterval = useLivePolling(busy ? 1000 : 10_000)
  const columns = useMemo(() => diskColumns(project), [project])
  const list = useListPage(diskListDefinition, { project }, columns, { refetchInterval })
  const nowBusy = list.rows?.some(({ state }) => diskIsTransitioning(state.state)) ?? false
  if (nowBusy !== busy) setBusy(nowBusy)
  return list
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

function useDiskQuickActions(project: string) {
  useListQuickActions(
    useMemo(
      () => ({
        all: projectDisksQuery(project),
        group: 'Go to disk',
        pathOf: (disk: string) => pathTo('/projects/$project/disks/$disk', { project, disk }),
      }),
      [project],
    ),
  )
}
