import { Link } from '@tanstack/react-router'
import { PanelLeft, Search } from 'lucide-react'
import { Suspense } from 'react'
import { useCapability } from '../data/capabilities.ts'
import { useCurrentUser } from '../data/session.ts'
import { JobsButton } from '../workspace/jobs/jobs-button.tsx'
import { IconButton } from '../ui/button.tsx'
import { lazyPart, whenDrawnAndIdle } from '../ui/lazy-part.ts'
import { Identicon } from '../ui/identicon.tsx'
import { Logo } from '../ui/logo.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { useSystemHome } from '../observability/issues/open-issues.ts'
import { setOverlay } from '../page/overlays.ts'
import { useBeginsWithOverviews, usePreferences } from '../page/preferences.ts'
import { ScopePicker } from './scope-picker.tsx'
import { UserMenu } from './user-menu.tsx'
import { Truncate } from '../ui/text.tsx'

/** Live updates begin after the page, and with them what there is to say. */
const LiveIndicator = lazyPart(async () => {
  await whenDrawnAndIdle()
  return { default: (await import('./live-indicator.tsx')).LiveIndicator }
})

const Bell = lazyPart(async () => {
  await whenDrawnAndIdle()
  return { default: (await import('../observability/notifications/bell.tsx')).Bell }
})

/** Room for the word that the indicator nearly always has. */
const LiveRoom = () => (
  <span aria-hidden className="invisible flex items-center gap-1.5 px-1 text-xs">
    <span className="size-1.5" />
    <span className="max-sm:hidden">Live</span>
  </span>
)

export function TopBar({ level }: { level: 'silo' | 'system' }) {
  const hasJobs = useCapability('jobs')
  return (
    <header className="fixed inset-x-0 top-(--banner-height) z-50 flex h-(--top-bar-height) items-center border-b bg-page">
      <div className="flex h-full shrink-0 items-center border-line pe-1.5 min-[900px]:w-(--sidebar-width) min-[900px]:border-e">
        <HomeLink level={level} />
        <ScopePicker level={level} />
      </div>
      <div className="flex min-w-0 flex-1 items-center gap-2 pe-3 ps-[calc(var(--gutter)-6px)] max-[900px]:ps-1 max-sm:gap-0.5 max-sm:pe-2">
        <IconButton
          label="Open navigation"
          className="min-[900px]:hidden!"
          icon={<PanelLeft size={16} strokeWidth={1.5} aria-hidden />}
          onClick={() => setOverlay('sidebar')}
        />
        <Breadcrumbs />
        <Suspense fallback={<LiveRoom />}>
          <LiveIndicator />
        </Suspense>
        <IconButton
          label="Search"
          className="min-[900px]:hidden!"
          icon={<Search size={16} strokeWidth={1.5} aria-hidden />}
          onClick={() => setOverlay('palette')}
        />
        {hasJobs && <JobsButton />}
        {useCapability('notifications') && (
          <Suspense fallback={<span className="w-8 shrink-0" />}>
            <Bell />
          </Suspense>
        )}
        <UserMenu />
      </div>
    </header>
  )
}

function HomeLink({ level }: { level: 'silo' | 'system' }) {
  const user = useCurrentUser()
  const home = useSystemHome()
  const { sidebar } = usePreferences()
  const overviews = useBeginsWithOverviews()
  const system = level === 'system'
  const [heading, label] = system ? ['Steading', 'System'] : ['Silo', user.siloName]
  return (
    <Link
      to={system ? home : overviews ? '/overview' : '/projects'}
      className="focus-inset flex h-full min-w-0 flex-1 items-center gap-2.5 pe-1 ps-3.5 hover:bg-hover max-sm:ps-2.5"
    >
      {system ? (
        <Logo size={24} className="shrink-0 text-accent-text" />
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
          <Truncate text={label} className="leading-4 font-medium" />
        </span>
      )}
    </Link>
  )
}
