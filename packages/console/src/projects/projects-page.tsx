import type { Project } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Folder, Plus } from 'lucide-react'
import { useApiAction } from '../as-code/as-code.tsx'
import { ALL_ITEMS, apiQuery, invalidate, seed } from '../data/api.ts'
import { useDeletion } from '../jobs/ask-deletion.ts'
import { useBulk } from '../jobs/use-bulk.tsx'
import { useListPage } from '../page/list-page.ts'
import { ListTable } from '../page/list-table.tsx'
import { pathTo } from '../shell/path-to.ts'
import { usePaletteOpen, useQuickActions } from '../shell/quick-actions.ts'
import { LinkButton } from '../ui/button.tsx'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import type { MenuAction } from '../ui/menu-action.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { projectColumns } from './columns.tsx'
import { projectListDefinition } from './list.ts'

const noun = { one: 'project', many: 'projects' }

export function ProjectsPage() {
  const list = useListPage(projectListDefinition, {}, projectColumns)
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
      <ListTable
        label="Projects"
        noun={noun}
        list={list}
        bulk={bulk}
        actions={actions}

        empty={
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
        }
      />
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
