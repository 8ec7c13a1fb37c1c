import type { Disk } from '@steading/api/client'
import { diskCannot, diskIsTransitioning } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { HardDrive, Plus } from 'lucide-react'
import { useApiAction } from '../as-code/as-code.tsx'
import { invalidate } from '../data/api.ts'
import { useLivePolling } from '../data/live.ts'
import { projectDisksQuery } from '../disks/queries.ts'
import { isAbandonedImport, useAbandonedImportActions } from '../images/abandoned-imports.ts'
import { useDeletion } from '../jobs/ask-deletion.ts'
import { useBulk } from '../jobs/use-bulk.tsx'
import { useListPage } from '../page/list-page.ts'
import { ListTable } from '../page/list-table.tsx'
import { pathTo } from '../shell/path-to.ts'
import { usePaletteOpen, useQuickActions } from '../shell/quick-actions.ts'
import { useSnapshotDisk } from '../snapshots/use-snapshot-disk.tsx'
import { LinkButton } from '../ui/button.tsx'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import type { MenuAction } from '../ui/menu-action.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { addToast } from '../ui/toasts.tsx'
import { diskColumns } from './columns.tsx'
import { diskListDefinition } from './list.ts'

const noun = { one: 'disk', many: 'disks' }

export function DisksPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const list = useDisks(project)
  const bulk = useBulk('disk', list, project)
  const actions = useDiskActions(project)
  useDiskQuickActions(project)
  return (
    <>
      <PageHeader title="Disks" icon={<HardDrive strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="disks"
          summary="Disks hold the data of instances. They can be attached to one instance at a time, and stay when it is deleted."
        />
        <RefreshButton onRefresh={() => invalidate('diskList', 'instanceList')} />
        <LinkButton
          to="/projects/$project/disks-new"
          params={{ project }}
          variant="primary"
          icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
        >
          New disk
        </LinkButton>
      </PageHeader>
      <ListTable
        label="Disks"
        noun={noun}
        list={list}
        bulk={bulk}
        actions={actions}

        empty={
          <EmptyState
            icon={<HardDrive size={20} strokeWidth={1.5} aria-hidden />}
            title="No disks"
            body="Create a disk to see it here"
            action={
              <LinkButton to="/projects/$project/disks-new" params={{ project }} variant="primary">
                New disk
              </LinkButton>
            }
          />
        }
      />
      <Outlet />
    </>
  )
}

/** Where changes are not told, disks on their way somewhere are asked about more often. */
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
      addToast({
        content: (
          <>
            Disk <b>{path.disk}</b> deleted
          </>
        ),
      })
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
      extra: 'Its data is gone for good; snapshots and images made from it stay.',
      ...remove({ path: { disk: name }, query: { project } }),
    })
  return (disk) => [
    ...snapshotActions(disk),
    ...(isAbandonedImport(disk) ? abandonedImportActions(disk) : [deleteAction(disk)]),
  ]
}

function useDiskQuickActions(project: string) {
  const all = useQuery({ ...projectDisksQuery(project), enabled: usePaletteOpen() }).data?.items
  useQuickActions(
    useMemo(
      () => [
        { label: 'New disk', path: pathTo('/projects/$project/disks-new', { project }) },
        ...(all ?? []).map(({ name }) => ({
          label: name,
          group: 'Go to disk',
          path: pathTo('/projects/$project/disks/$disk', { project, disk: name }),
        })),
      ],
      [all, project],
    ),
  )
}
