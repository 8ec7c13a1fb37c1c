import { Link } from '@tanstack/react-router'
import { PanelLeft, Search, Server } from 'lucide-react'
import { useCapability } from '../data/capabilities.ts'
import { useCurrentUser } from '../data/session.ts'
import { JobsButton } from '../workspace/jobs/jobs-button.tsx'
import { IconButton } from '../ui/button.tsx'
import { Identicon } from '../ui/identicon.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { useSystemHome } from '../observability/issues/open-issues.ts'
import { LiveIndicator } from './live-indicator.tsx'
import { setOverlay } from '../page/overlays.ts'
import { usePreferences } from './preferences.ts'
import { ScopePicker } from './scope-picker.tsx'
import { UserMenu } from './user-menu.tsx'

export function TopBar({ level }: { level: 'silo' | 'system' }) {
  const hasJobs = useCapability('jobs')
  return (
    <header className="fixed inset-x-0 top-(--banner-height) z-50 flex h-(--top-bar-height) items-center border-b bg-page">
      <HomeLink level={level} />
      <div className="flex min-w-0 flex-1 items-center gap-2 pr-3 pl-[calc(var(--gutter)-6px)] max-[900px]:pl-1">
        <IconButton
          label="Open navigation"
          className="min-[900px]:hidden!"
          icon={<PanelLeft size={16} strokeWidth={1.5} aria-hidden />}
          onClick={() => setOverlay('sidebar')}
        />
        <Breadcrumbs />
        <LiveIndicator />
        <IconButton
          label="Search"
          className="min-[900px]:hidden!"
          icon={<Search size={16} strokeWidth={1.5} aria-hidden />}
          onClick={() => setOverlay('palette')}
        />
        {hasJobs && <JobsButton />}
        <ScopePicker level={level} />
        <UserMenu />
      </div>
    </header>
  )
}

function HomeLink({ level }: { level: 'silo' | 'system' }) {
  const user = useCurrentUser()
  const home = useSystemHome()
  const { sidebar } = usePreferences()
  const system = level === 'system'
  const [heading, label] = system ? ['Steading', 'System'] : ['Silo', user.siloName]
  return (
    <Link
      to={system ? home : '/projects'}
      className="focus-inset flex h-full shrink-0 items-center gap-2.5 pr-2 pl-3.5 hover:bg-hover min-[900px]:w-(--sidebar-width) min-[900px]:border-r"
    >
      {system ? (
        <Server size={20} strokeWidth={1.5} aria-hidden />
      ) : (
        <Identicon name={user.siloName} size={28} />
      )}
      {sidebar === 'narrow' ? (
        <span className="sr-only">
          {heading} {label}
        </span>
      ) : (
        <span className="min-w-0 max-[900px]:sr-only">
          <span className="block text-xs leading-[14px] text-tertiary">{heading}</span>{' '}
          <span className="block truncate leading-4 font-medium">{label}</span>
        </span>
      )}
    </Link>
  )
}
