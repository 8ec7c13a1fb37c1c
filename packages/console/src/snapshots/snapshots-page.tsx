import type { Snapshot } from '@steading/api/client'
import { snapshotCanDelete, snapshotIsTransitioning } from '@steading/api/rules'
import { Outlet, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Camera, Plus } from 'lucide-react'
import { useApiAction } from '../as-code/as-code.tsx'
import { invalidate } from '../data/api.ts'
import { useLivePolling } from '../data/live.ts'
import { usePaginatedQuery } from '../data/pagination.ts'
import { BottomBar } from '../shell/bottom-bar.tsx'
import { pathTo } from '../shell/path-to.ts'
import { QueryError } from '../shell/query-error.tsx'
import { useQuickActions } from '../shell/quick-actions.ts'
import { LinkButton } from '../ui/button.tsx'
import { confirmDelete } from '../ui/confirm.tsx'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import type { MenuAction } from '../ui/menu.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { Table } from '../ui/table.tsx'
import { snapshotColumns } from './columns.tsx'

export function SnapshotsPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const polled = useLivePolling(1000)
  const { rows, pagination, error, refetch } = usePaginatedQuery(
    'snapshotList',
    { query: { project } },
    {
      refetchInterval: (all) =>
        all.some(({ state }) => snapshotIsTransitioning(state)) ? polled : false,
    },
  )
  const actions = useSnapshotActions(project)
  const columns = useMemo(() => snapshotColumns(project), [project])
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
      <QueryError error={error} onRetry={refetch} />
      <Table
        label="Snapshots"
        columns={columns}
        rows={rows}
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
      <BottomBar>{rows?.length ? <Pagination {...pagination} /> : null}</BottomBar>
      <Outlet />
    </>
  )
}

function useSnapshotActions(project: string): (snapshot: Snapshot) => MenuAction[] {
  const deletion = useApiAction('snapshotDelete', {
    onSuccess: () => invalidate('snapshotList', 'snapshotView', 'utilizationView'),
  })
  return ({ name, state }) => [
    {
      label: 'Create image',
      disabledReason: state === 'ready' ? undefined : 'Only ready snapshots can become images',
      href: pathTo('/projects/$project/snapshots/$snapshot/images-new', {
        project,
        snapshot: name,
      }),
    },
    {
      label: 'Delete',
      disabledReason: snapshotCanDelete(state)
        ? undefined
        : 'Only snapshots in state ready or faulted can be deleted',
      onAction: () =>
        confirmDelete({
          kind: 'snapshot',
          name,
          extra: 'Disks and images made from it stay.',
          ...deletion({ path: { snapshot: name }, query: { project } }),
        }),
    },
  ]
}
