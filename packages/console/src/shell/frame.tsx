import { Suspense, useMemo, type ReactNode } from 'react'
import { AccessHost } from '../workspace/who-can/access-host.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { Outlet, useRouter } from '@tanstack/react-router'
import { useAvailable, useCapability } from '../data/capabilities.ts'
import { cx } from '../ui/cx.ts'
import { roomOf } from '../page/room.ts'
import { useIsLeaving } from './navigation.ts'
import { useShortcuts } from '../ui/keyboard/use-shortcut.ts'
import { lazyPart, whenDrawnAndIdle } from '../ui/lazy-part.ts'
import { useQuickActions } from '../ui/quick-actions.ts'
import type { NavItem } from './nav-entry.ts'
import { NavItems } from './nav.tsx'
import type { SidebarProps } from './sidebar-content.tsx'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'

/** No loader waits for it, so it does not delay pages. */
const StandingNotices = lazyPart(async () => {
  await whenDrawnAndIdle()
  return import('./standing-notices.tsx')
})

/** Loaded after the page. */
const PermissionWatch = lazyPart(async () => {
  await whenDrawnAndIdle()
  return import('../identity/permissions/permission-watch.tsx')
})

type FrameProps = SidebarProps & {
  level?: 'silo' | 'system'
  /** The palette's group for the sidebar's pages. */
  group: string
  /** Replaces the page. */
  children?: ReactNode
}

type Page = Pick<NavItem, 'path' | 'shortcut'>

/** Pages whose shortcuts work everywhere. */
const everywhere: Page[] = [
  { path: '/projects', shortcut: 'goProjects' },
  { path: '/settings/profile', shortcut: 'goProfile' },
  { path: '/settings/ssh-keys', shortcut: 'goSshKeys' },
]
const jobs: Page = { path: '/jobs', shortcut: 'goJobs' }

function usePageShortcuts(pages: Page[]) {
  const { history } = useRouter()
  const hasJobs = useCapability('jobs')
  useShortcuts(
    Object.fromEntries(
      [...pages, ...(hasJobs ? [jobs] : [])].flatMap(({ path, shortcut }) =>
        shortcut ? [[shortcut, () => history.push(path)]] : [],
      ),
    ),
  )
}

/** Top bar, sidebar and content. The window itself scrolls. */
export function Frame({ level = 'silo', group, children, top, heading, items: all }: FrameProps) {
  const items = useAvailable(all)
  const leaving = useIsLeaving()
  usePageShortcuts([...everywhere, ...top, ...items])
  useQuickActions(
    useMemo(() => items.map(({ label, path }) => ({ label, path, group })), [items, group]),
    'layout',
  )
  return (
    <>
      <TopBar level={level} />
      <Sidebar {...{ top, heading, items }} />
      <main
        id="content"
        tabIndex={-1}
        aria-busy={leaving || undefined}
        // Prevents a click intended for the next page from opening a link of this one.
        className={cx(
          'flex min-h-dvh flex-col pt-(--shell-top) ps-(--sidebar-width) not-has-data-bottom-bar:pb-(--toasts-room)',
          leaving && 'pointer-events-none',
        )}
      >
        <ConnectionNotice />
        <Suspense fallback={<div style={{ height: roomOf('notices') }} />}>
          <StandingNotices />
        </Suspense>
        <Suspense fallback={null}>
          <PermissionWatch />
        </Suspense>
        <AccessHost />
        <div className="flex min-w-0 flex-1 flex-col">
          <NavItems value={items}>{children ?? <Outlet />}</NavItems>
        </div>
      </main>
    </>
  )
}
