import type { Project } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { Folder, Plus } from 'lucide-react'
import { FiringAlerts } from '../../observability/alert-rules/firing-alerts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { ALL_ITEMS, apiQuery, invalidate, seed } from '../../data/api.ts'
import { useDeletion } from '../../workspace/jobs/ask-deletion.ts'
import { useBulk } from '../../workspace/jobs/use-bulk.tsx'
import { FirstRun } from '../../page/engine.tsx'
import { ListPage } from '../../page/list-page.tsx'
import { useListPage } from '../../page/use-list-page.ts'
import { pathTo } from '../../data/addresses.ts'
import { type ListQuickActions, useListQuickActions } from '../../page/list-quick-actions.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { projectColumns } from './columns.tsx'
import { projectListDefinition } from './queries.ts'
import { useTerraformExport } from './export-terraform.ts'
import { OwnProjectsPage, useOwnProjects } from './own-projects.tsx'

const noun = { one: 'project', many: 'projects' }

const quickActions: ListQuickActions = {
  all: apiQuery('projectList', { query: { limit: ALL_ITEMS } }),
  group: 'Go to project',
  pathOf: (project: string) => pathTo('/projects/$project/instances', { project }),
}

export function ProjectsPage() {
  const list = useListPage(projectListDefinition, {}, projectColumns)
  const bulk = useBulk('project', list)
  const actions = useProjectActions()
  useListQuickActions(quickActions)
  const own = useOwnProjects(list.rows ? undefined : list.error)
  const notice = <FiringAlerts />
  if (own) return <OwnProjectsPage {...own} notice={notice} />
  return (
    <ListPage
      notice={notice}
      title="Projects"
      label="Projects"
      icon={Folder}
      noun={noun}
      docs={{
        topic: 'projects',
        summary: 'A project holds instances, disks and networks, and controls who can use them.',
      }}
      reads={['projectList']}
      create={{
        label: 'New project',
        icon: Plus,
        calls: 'projectCreate',
        path: pathTo('/projects-new'),
      }}
      list={list}
      bulk={bulk}
      actions={actions}
      empty={{
        title: 'No projects',
        body: 'Create a project to start working with instances, disks, and more',
        create: 'New project',
        below: <FirstRun />,
      }}
    />
  )
}

function useProjectActions(): (project: Project) => MenuAction[] {
  const navigate = useNavigate()
  const remove = useApiAction('projectDelete', {
    onSuccess: () => invalidate('projectList'),
  })
  const deletion = useDeletion()
  const exports = useTerraformExport()
  return (project) => [
    {
      label: 'Edit',
      calls: { operation: 'projectUpdate', project: project.name },
      onAction: () => {
        // The panel opens at once with the row's data.
        seed('projectView', { path: { project: project.name } }, project)
        void navigate({ to: '/projects/$project/edit', params: { project: project.name } })
      },
    },
    ...exports(project.name),
    deletion({
      kind: 'project',
      id: project.id,
      name: project.name,
      ...remove({ path: { project: project.name } }),
      calls: undefined,
    }),
  ]
}
