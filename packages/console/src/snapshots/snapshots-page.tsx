import type { Snapshot } from '@steading/api/client'
import { snapshotCannotDelete, snapshotIsTransitioning } from '@steading/api/rules'
import { Outlet, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Camera, Plus } from 'lucide-react'
import { useApiAction } from '../as-code/as-code.tsx'
import { invalidate } from '../data/api.ts'
import { useLivePolling } from '../data/live.ts'
import { useDeletion } from '../jobs/ask-deletion.ts'
import { useBulk } from '../jobs/use-bulk.tsx'
import { useListPage } from '../page/list-page.ts'
import { ListTable } from '../page/list-table.tsx'
import { pathTo } from '../shell/path-to.ts'
import { useQuickActions } from '../shell/quick-actions.ts'
import { LinkButton } from '../ui/button.tsx'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import type { MenuAction } from '../ui/menu-action.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { snapshotColumns } from './columns.tsx'
import { snapshotListDefinition } from './list.ts'

const noun = { one: 'snapshot', many: 'snapshots' }

export function SnapshotsPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const polled = useLivePolling(1000)
  const columns = useMemo(() => snapshotColumns(project), [project])
  const list = useListPage(snapshotListDefinition, { project }, columns, {
    refetchInterval: (all) =>
      all.some(({ state }) => snapshotIsTransitioning(state)) ? polled : false,
  })
  const bulk = useBulk('snapshot', list, project)
  const actions = useSnapshotActions(project)
  useQuickActions(
    useMemo(
      () => [
        { label: 'New snapshot', path: pathTo('/projects/$project/snapshots-new', { project }) },
      ],
      [project],
    ),
  )
  return (
    <>
      <PageHeader title="Snapshots" icon={<Camera strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="snapshots"
          summary="A snapshot keeps what a disk holds at one moment. Disks and images can be made from it, and stay when it is deleted."
        />
        <RefreshButton onRefresh={() => invalidate('snapshotList', 'diskList', 'diskView')} />
        <LinkButton
          to="/projects/$project/snapshots-new"
          params={{ project }}
          variant="primary"
          icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
        >
          New snapshot
        </LinkButton>
      </PageHeader>
      <ListTable
        label="Snapshots"
        noun={noun}
        list={list}
        bulk={bulk}
        actions={actions}

        empty={
          <EmptyState
            icon={<Camera size={20} strokeWidth={1.5} aria-hidden />}
            title="No snapshots"
            body="Create a snapshot to see it here"
            action={
              <LinkButton
                to="/projects/$project/snapshots-new"
                params={{ project }}
                variant="primary"
              >
                New snapshot
              </LinkButton>
            }
          />
        }
      />
      <Outlet />
    </>
  )
}

function useSnapshotActions(project: string): (snapshot: Snapshot) => MenuAction[] {
  const remove = useApiAction('snapshotDelete', {
    onSuccess: () => invalidate('snapshotList', 'snapshotView', 'utilizationView'),
  })
  const deletion = useDeletion()
  return ({ id, name, state }) => [
    {
      label: 'Create image',
      disabledReason: state === 'ready' ? undefined : 'Only ready snapshots can become images',
      href: pathTo('/projects/$project/snapshots/$snapshot/images-new', {
        project,
        snapshot: name,
      }),
    },
    deletion({
      kind: 'snapshot',
      id,
      name,
      project,
      cannot: snapshotCannotDelete(state),
      extra: 'Disks and images made from it stay.',
      ...remove({ path: { snapshot: name }, query: { project } }),
    }),
  ]
}
