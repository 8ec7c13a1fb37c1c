import type { Project } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Folder, Plus } from 'lucide-react'
import { useApiAction } from '../as-code/as-code.tsx'
import { ALL_ITEMS, apiQuery, invalidate, seed } from '../data/api.ts'
import { useListPage } from '../data/list-page.ts'
import { useDeletion } from '../jobs/ask-deletion.ts'
import { useBulk } from '../jobs/use-bulk.tsx'
import { BottomBar } from '../shell/bottom-bar.tsx'
import { pathTo } from '../shell/path-to.ts'
import { QueryError } from '../shell/query-error.tsx'
import { usePaletteOpen, useQuickActions } from '../shell/quick-actions.ts'
import { LinkButton } from '../ui/button.tsx'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import type { MenuAction } from '../ui/menu.tsx'
import { ListControls, NothingMatches } from '../ui/list-controls/list-controls.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { Table } from '../ui/table.tsx'
import { projectColumns } from './columns.tsx'
import { projectListDefinition } from './list.ts'

const noun = { one: 'project', many: 'projects' }

export function ProjectsPage() {
  const list = useListPage(projectListDefinition, {}, projectColumns)
  const { rows, pagination, error, refetch, isFiltered, table, controls } = list
  const bulk = useBulk('project', list)
  const actions = useProjectActions()
  useProjectQuickActions()
  return (
    <>
      <PageHeader title="Projects" icon={<Folder strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="projects"
          summary="A project holds instances, disks, networks and all that belongs to them, and says who may use them."
        />
        <RefreshButton onRefresh={() => invalidate('projectList')} />
        <LinkButton
          to="/projects-new"
          variant="primary"
          icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
        >
          New project
        </LinkButton>
      </PageHeader>
      <QueryError error={error} onRetry={refetch} />
      <ListControls noun={noun} {...controls} />
      <Table
        label="Projects"
        {...table}
        rows={rows}
        selection={bulk.selection}
        actions={actions}
        empty={
          isFiltered ? (
            <NothingMatches noun={noun} onClear={controls.onClear} />
          ) : (
            <EmptyState
              icon={<Folder size={20} strokeWidth={1.5} aria-hidden />}
              title="No projects"
              body="Create a project to start working with instances, disks, and more"
              action={
                <LinkButton to="/projects-new" variant="primary">
                  New project
                </LinkButton>
              }
            />
          )
        }
      />
      {bulk.bar}
      <BottomBar>{rows?.length ? <Pagination {...pagination} /> : null}</BottomBar>
      <Outlet />
    </>
  )
}

function useProjectActions(): (project: Project) => MenuAction[] {
  const navigate = useNavigate()
  const remove = useApiAction('projectDelete', {
    onSuccess: () => invalidate('projectList'),
  })
  const deletion = useDeletion()
  return (project) => [
    {
      label: 'Edit',
      onAction: () => {
        // The panel opens at once with what the row already shows.
        seed('projectView', { path: { project: project.name } }, project)
        void navigate({ to: '/projects/$project/edit', params: { project: project.name } })
      },
    },
    deletion({
      kind: 'project',
      id: project.id,
      name: project.name,
      ...remove({ path: { project: project.name } }),
    }),
  ]
}

function useProjectQuickActions() {
  const all = useQuery({
    ...apiQuery('projectList', { query: { limit: ALL_ITEMS } }),
    enabled: usePaletteOpen(),
  }).data?.items
  useQuickActions(
    useMemo(
      () => [
        { label: 'New project', path: pathTo('/projects-new') },
        ...(all ?? []).map(({ name }) => ({
          label: name,
          group: 'Go to project',
          path: pathTo('/projects/$project/instances', { project: name }),
        })),
      ],
      [all],
    ),
  )
}
