import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Plus, Server } from 'lucide-react'
import { ALL_ITEMS, apiQuery, invalidate } from '../data/api.ts'
import { useBulk } from '../jobs/use-bulk.tsx'
import { useListPage } from '../page/list-page.ts'
import { ListTable } from '../page/list-table.tsx'
import { pathTo } from '../shell/path-to.ts'
import { usePaletteOpen, useQuickActions } from '../shell/quick-actions.ts'
import { LinkButton } from '../ui/button.tsx'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { instanceColumns } from './columns.tsx'
import { useInstanceActions } from './instance-actions.tsx'
import { instanceListDefinition } from './list.ts'
import { instanceCreatePath } from './paths.ts'
import { useInstanceListPolling } from './polling.ts'
import { UpdatedAt } from './updated-at.tsx'

const ResizeModal = lazy(() => import('./resize-modal.tsx'))

const noun = { one: 'instance', many: 'instances' }

export function InstancesPage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const columns = useMemo(() => instanceColumns(project), [project])
  const list = useListPage(instanceListDefinition, { project }, columns, {
    refetchInterval: useInstanceListPolling(),
  })
  const { rows, updatedAt } = list
  const bulk = useBulk('instance', list, project)
  const [resizing, setResizing] = useState<string>()
  const resized = rows?.find(({ id }) => id === resizing)
  const actionsOf = useInstanceActions({ project, onResize: ({ id }) => setResizing(id) })
  useInstanceQuickActions(project)
  const create = instanceCreatePath(project) as '/'
  return (
    <>
      <PageHeader title="Instances" icon={<Server strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="instances"
          summary="An instance is a virtual machine: CPUs, memory, disks and network interfaces. It keeps its disks and addresses while it is stopped."
        />
        <UpdatedAt date={updatedAt} />
        <RefreshButton onRefresh={() => invalidate('instanceList', 'instanceExternalIpList')} />
        <LinkButton
          to={create}
          variant="primary"
          icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
        >
          New Instance
        </LinkButton>
      </PageHeader>
      <ListTable
        label="Instances"
        noun={noun}
        list={list}
        bulk={bulk}
        actions={(instance) => Object.values(actionsOf(instance))}

        empty={
          <EmptyState
            icon={<Server size={20} strokeWidth={1.5} aria-hidden />}
            title="No instances"
            body="Create an instance to see it here"
            action={
              <LinkButton to={create} variant="primary">
                New instance
              </LinkButton>
            }
          />
        }
      />
      {resized && (
        <Suspense>
          <ResizeModal
            project={project}
            instance={resized}
            onDismiss={() => setResizing(undefined)}
            linkToInstance
          />
        </Suspense>
      )}
      <Outlet />
    </>
  )
}

function useInstanceQuickActions(project: string) {
  const all = useQuery({
    ...apiQuery('instanceList', { query: { project, limit: ALL_ITEMS } }),
    enabled: usePaletteOpen(),
  }).data?.items
  useQuickActions(
    useMemo(
      () => [
        { label: 'New instance', path: instanceCreatePath(project) },
        ...(all ?? []).map(({ name }) => ({
          label: name,
          group: 'Go to instance',
          path: pathTo('/projects/$project/instances/$instance/storage', {
            project,
            instance: name,
          }),
        })),
      ],
      [all, project],
    ),
  )
}
