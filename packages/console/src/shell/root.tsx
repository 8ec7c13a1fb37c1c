import { Outlet, useLocation, useRouter, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { hostSignIn, useSignInStage } from '../data/session-end.ts'
import { closeOverlay, setOverlay, toggleOverlay, useOverlay } from '../page/overlays.ts'
import { ConfirmModal } from '../ui/confirm.tsx'
import { DialogPart, SideModalAnimation } from '../ui/dialog.tsx'
import { useRowShortcuts } from '../ui/keyboard/rows.ts'
import { useShortcuts } from '../ui/keyboard/use-shortcut.ts'
import { lazyPart, loadPart, whenDrawnAndIdle } from '../ui/lazy-part.ts'
import { HistoryHost } from '../workspace/history/history-host.tsx'
import { JobHost } from '../workspace/jobs/job-host.tsx'
import { useDocumentTitle } from './crumbs.ts'
import { wasNavigatedTo, noteVisit } from './navigation.ts'
import { PalettePart } from './palette-part.tsx'
import { setPreference, usePreferences } from '../page/preferences.ts'
import { PreviewBanner } from './preview-banner.tsx'
import { RouteAnnouncer } from './route-announcer.tsx'
import { applyTheme } from './theme.ts'

const KeyboardHelp = lazyPart(() =>
  import('./keyboard-help.tsx').then((m) => ({ default: m.KeyboardHelp })),
)

const SignInAgain = lazyPart(() => import('../identity/session/sign-in-again.tsx'))

const LateParts = lazyPart(async () => {
  await whenDrawnAndIdle()
  const { LateParts } = await import('./late-parts.tsx')
  return { default: LateParts }
})

/** The root of every page. */
export function Root() {
  const router = useRouter()
  const overlay = useOverlay()
  const signInStage = useSignInStage()
  const { sidebar } = usePreferences()
  const pathname = useLocation({ select: (location) => location.pathname })
  const signedIn = !/^\/(login|device)\//.test(pathname)
  useEffect(applyTheme, [])
  useEffect(() => hostSignIn(), [])
  useEffect(() => {
    const note = () => {
      if (!noteVisit(router.state.location.pathname)) return
      // Recording recent items is deferred, to keep navigation fast.
      whenDrawnAndIdle()
        .then(() => loadPart(() => import('./recent.ts')))
        .then(
          ({ rememberVisits }) => rememberVisits(),
          // If the code cannot be loaded, the palette records them when it opens.
          () => {},
        )
    }
    note()
    return router.subscribe('onResolved', note)
  }, [router])
  useRowShortcuts()
  useShortcuts({
    palette: () => (signedIn ? toggleOverlay('palette') : undefined),
    help: () => setOverlay('keyboard-help'),
    sidebar: () => setPreference('sidebar', sidebar === 'wide' ? 'narrow' : 'wide'),
  })
  return (
    <SideModalAnimation value={wasNavigatedTo}>
      <title>{useDocumentTitle()}</title>
      <a
        href="#content"
        className="fixed top-2 start-2 z-[1200] -translate-y-16 rounded-control bg-accent px-3 py-1.5 text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <LoadingBar />
      <PreviewBanner />
      <Outlet />
      <RouteAnnouncer />
      <ConfirmModal />
      {signedIn && <JobHost />}
      {signedIn && <HistoryHost />}
      {overlay === 'palette' && signedIn && <PalettePart />}
      <DialogPart onDismiss={closeOverlay}>
        {overlay === 'keyboard-help' && <KeyboardHelp onDismiss={closeOverlay} />}
      </DialogPart>
      <Suspense>{signInStage && <SignInAgain stage={signInStage} />}</Suspense>
      <Suspense>
        <LateParts />
      </Suspense>
    </SideModalAnimation>
  )
}

/** A line at the top of the window during page loads, after a short delay. */
function LoadingBar() {
  const loading = useRouterState({ select: (state) => state.isLoading })
  const target = useRouterState({ select: (state) => state.location.href })
  const [state, setState] = useState<'idle' | 'loading' | 'done'>('idle')
  useEffect(() => {
    if (!loading) {
      const finish = setTimeout(() => setState((now) => (now === 'loading' ? 'done' : now)), 0)
      const hide = setTimeout(() => setState('idle'), 400)
      return () => {
        clearTimeout(finish)
        clearTimeout(hide)
      }
    }
    const timer = setTimeout(() => setState('loading'), 20)
    return () => clearTimeout(timer)
  }, [loading])
  return <div key={target} aria-hidden className="loading-bar" data-state={state} />
}
