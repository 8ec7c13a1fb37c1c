import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { crumbsOf, pageOf } from './crumbs.ts'

/** Says where a navigation has led, and moves focus to the page's heading. */
export function RouteAnnouncer() {
  const router = useRouter()
  const [message, setMessage] = useState('')
  const shown = useRef<string>(undefined)
  useEffect(
    () =>
      router.subscribe('onRendered', () => {
        const { matches, location } = router.state
        const page = pageOf(matches) ?? location.pathname
        const before = shown.current
        shown.current = page
        // Not on first load, not for side modals, not for query-string tabs.
        if (before === undefined || before === page) return
        const labels = crumbsOf(matches).map((crumb) => crumb.label)
        setMessage(labels.toReversed().join(', ') || 'Steading Console')
        if (document.activeElement?.role === 'tab') return
        // A side modal that opened with the page has the focus already.
        if (document.querySelector('[role=dialog]')) return
        const heading = document.querySelector<HTMLElement>('h1') ?? document.querySelector('main')
        heading?.setAttribute('tabindex', '-1')
        heading?.focus({ preventScroll: true })
      }),
    [router],
  )
  return (
    <div aria-live="polite" className="sr-only">
      {message}
    </div>
  )
}
