import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Boxes, Building2, Check, Folder, type LucideIcon } from 'lucide-react'
import { Header, MenuSection } from 'react-aria-components/Menu'
import { apiQuery } from '../data/api.ts'
import { useCurrentUser, useFleetViewer } from '../data/session.ts'
import { useSystemHome } from '../observability/issues/open-issues.ts'
import { pathTo } from '../data/addresses.ts'
import { menuItemClass, PopupMenu, PopupMenuItem } from '../ui/menu-popup.tsx'
import type { PopupProps } from '../ui/popup-button.tsx'
import { cx } from '../ui/cx.ts'
import { Truncate } from '../ui/text.tsx'

const MOST_PROJECTS = 8

type Scope = {
  label: string
  /** Explains the scope. */
  about?: string
  href: string
  icon: LucideIcon
  chosen: boolean
}

/** A menu of the scopes that the user may see. */
export function ScopePopup({ level, ...from }: PopupProps & { level: 'silo' | 'system' }) {
  const { siloName } = useCurrentUser()
  const { project } = useParams({ strict: false })
  const home = useSystemHome()
  const fleetViewer = useFleetViewer()
  const { data } = useQuery({
    ...apiQuery('projectList', { query: { limit: MOST_PROJECTS + 1, sortBy: 'name_ascending' } }),
    throwOnError: false,
  })
  const system: Scope = {
    label: 'System',
    about: 'All silos, the hardware and its networks',
    href: pathTo(home),
    icon: Boxes,
    chosen: level === 'system',
  }
  const silo: Scope = {
    label: 'Silo',
    about: `Projects, images and people of ${siloName}`,
    href: pathTo('/'),
    icon: Building2,
    chosen: level === 'silo' && !project,
  }
  const projects = (data?.items ?? []).slice(0, MOST_PROJECTS).map(({ name }): Scope => ({
    label: name,
    href: pathTo('/projects/$project', { project: name }),
    icon: Folder,
    chosen: name === project,
  }))
  const scopes = [...(fleetViewer ? [system] : []), silo]
  return (
    <PopupMenu
      from={from}
      placement="bottom-start"
      className="w-72"
      order={[...scopes, ...projects].map(({ label }) => ({ id: label, label }))}
    >
      {scopes.map((scope) => (
        <ScopeItem key={scope.label} {...scope} />
      ))}
      {projects.length > 0 && (
        <MenuSection className="mt-1 border-t pt-1">
          <Header className="label px-2 py-1 text-tertiary">
            {data && data.items.length > MOST_PROJECTS ? 'First projects' : 'Projects'}
          </Header>
          {projects.map((scope) => (
            <ScopeItem key={scope.href} {...scope} />
          ))}
        </MenuSection>
      )}
    </PopupMenu>
  )
}

const ScopeItem = ({ label, about, href, icon: Icon, chosen }: Scope) => (
  <PopupMenuItem
    id={label}
    textValue={label}
    href={href}
    className={cx(menuItemClass(), about && 'py-1.5')}
    aria-label={label}
    aria-description={about}
  >
    <Icon size={16} strokeWidth={1.5} aria-hidden className="shrink-0 text-tertiary" />
    <span className="min-w-0 flex-1">
      <Truncate text={label} />
      {about && <Truncate text={about} className="text-xs text-tertiary" />}
    </span>
    {chosen && <Check size={14} strokeWidth={1.5} aria-hidden className="text-accent-text" />}
  </PopupMenuItem>
)
