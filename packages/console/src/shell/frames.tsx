import type { ConsolePath } from '@steading/api/rules'
import { type ErrorComponentProps, useParams } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { usePrefetchedQuery } from '../data/api.ts'
import { useCapability, useMulticast } from '../data/capabilities.ts'
import { useCurrentUser, useFleetViewer } from '../data/session.ts'
import { issuesQuery } from '../observability/issues/open-issues.ts'
import { projectQuery } from '../page/parent-routes.ts'
import { NotFoundPage } from './error-page.tsx'
import { Frame } from './frame.tsx'
import { PageError } from './page-error.tsx'
import type { NavItem } from './nav-entry.ts'
import { navItems } from './nav.tsx'

const PROJECTS = '/projects' satisfies ConsolePath
const ISSUES = '/system/issues' satisfies ConsolePath

/** Link to the list of projects, above the pages of a project and of the user's settings. */
const useProjectsItem = (exact: boolean): NavItem[] =>
  useMemo(
    () => navItems('silo').flatMap((item) => (item.path === PROJECTS ? { ...item, exact } : [])),
    [exact],
  )

export function SiloFrame({ children }: { children?: ReactNode }) {
  const { siloName, siloAdmin } = useCurrentUser()
  const fleetViewer = useFleetViewer()
  const multicast = useMulticast()
  const audits = siloAdmin || fleetViewer
  const items = useMemo(() => {
    const isShown = { siloAdmins: siloAdmin, auditors: audits, multicast }
    return navItems('silo').filter(({ onlyFor }) => !onlyFor || isShown[onlyFor])
  }, [siloAdmin, audits, multicast])
  return (
    <Frame top={[]} heading={siloName} items={items} group={`Silo '${siloName}'`}>
      {children}
    </Frame>
  )
}

/** The operators' frame; other users see "Page not found". */
export function SystemFrame() {
  const hasIssues = useCapability('issues')
  const enabled = useFleetViewer() && hasIssues
  const count = useQuery({ ...issuesQuery, enabled }).data?.items.length
  const items = useMemo(
    () => navItems('system').map((item) => (item.path === ISSUES ? { ...item, count } : item)),
    [count],
  )
  if (!useFleetViewer()) return <NotFoundPage />
  return <Frame level="system" top={[]} heading="System" items={items} group="System" />
}

/** An error of a project is shown among the pages of its silo. */
export const ProjectError = (props: ErrorComponentProps) => (
  <SiloFrame>
    <PageError {...props} />
  </SiloFrame>
)

export function ProjectFrame() {
  const { project } = useParams({ strict: false }) as { project: string }
  // Subscribes to the project, so that its pages notice its deletion.
  usePrefetchedQuery(projectQuery(project))
  const items = useMemo(() => navItems('project', { project }), [project])
  return (
    <Frame
      top={useProjectsItem(true)}
      heading={project}
      items={items}
      group={`Project '${project}'`}
    />
  )
}

export function SettingsFrame() {
  const top = useProjectsItem(false)
  const items = useMemo(() => navItems('settings'), [])
  return <Frame top={top} heading="User" items={items} group="Settings" />
}
