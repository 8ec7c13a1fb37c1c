import { Folder } from 'lucide-react'
import { BriefingPart } from '../../observability/briefings/briefing-part.tsx'
import { FirstRun } from '../../page/engine.tsx'
import { ListPage } from '../../page/list-page.tsx'
import { resourceList, useResourceList } from '../../page/resource-list.tsx'
import { projectListDefinition } from './queries.ts'
import { useProjectActions } from './project-actions.ts'
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
  const notice = <BriefingPart of="silo" isEmpty={page.list.rows?.length === 0} />
  if (own) return <OwnProjectsPage {...own} notice={notice} />
  return <ListPage {...page} notice={notice} actions={actions} />
}
