import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { crumbsOf, pageOf } from './crumbs.ts'

/** Says where a navigation has led, and moves focus to the page's heading. */
export function RouteAnnouncer() {
  const router = useRouter()
  const [message, setMessage] = useState('')
  const shown = useRef('')
  useEffect(() => {
    const current = () => pageOf(router.state.matches) ?? router.state.location.pathname
    // The first page is on the screen already.
    shown.current ||= current()
    return router.subscribe('onRendered', () => {
      const { matches } = router.state
      const before = shown.current
      shown.current = current()
      // Not for side modals, not for query-string tabs.
      if (before === shown.current) return
      const labels = crumbsOf(matches).map((crumb) => crumb.label)
      setMessage(labels.toReversed().join(', ') || 'Steading Console')
      if (document.activeElement?.role === 'tab') return
      // A side modal that opened with the page has the focus already.
      if (document.querySelector('[role=dialog]')) return
      const heading = document.querySelector<HTMLElement>('h1') ?? document.querySelector('main')
      heading?.setAttribute('tabindex', '-1')
      heading?.focus({ preventScroll: true })
    })
  }, [router])
  return (
    <div aria-live="polite" className="sr-only">
      {message}
    </div>
  )
}
