import type { Project } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { Folder } from 'lucide-react'
import { FiringAlerts } from '../../observability/alert-rules/firing-alerts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { invalidate, seed } from '../../data/api.ts'
import { useDeletion } from '../../workspace/jobs/ask-deletion.ts'
import { FirstRun } from '../../page/engine.tsx'
import { ListPage } from '../../page/list-page.tsx'
import { resourceList, useResourceList } from '../../page/resource-list.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { projectListDefinition } from './queries.ts'
import { useTerraformExport } from './export-terraform.ts'
import { OwnProjectsPage, useOwnProjects } from './own-projects.tsx'

const projects = resourceList({
  list: projectListDefinition,
  noun: 'project',
  icon: Folder,
  docs: {
    topic: 'projects',
    summary: 'A project holds instances, disks and networks, and controls who can use them.',
  },
  path: '/projects',
  item: '/projects/$project/instances',
  columns: ['name', { id: 'description', phone: 'second' }, 'created'],
  bulk: true,
  create: { calls: 'projectCreate' },
  empty: {
    body: 'Create a project to start working with instances, disks, and more',
    below: <FirstRun />,
  },
})

export function ProjectsPage() {
  const page = useResourceList(projects, {})
  const actions = useProjectActions()
  const own = useOwnProjects(page.list.rows ? undefined : page.list.error)
  const notice = <FiringAlerts />
  if (own) return <OwnProjectsPage {...own} notice={notice} />
  return <ListPage {...page} notice={notice} actions={actions} />
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
