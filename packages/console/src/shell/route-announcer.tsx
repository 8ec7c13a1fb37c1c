import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { crumbsOf, pageOf } from './crumbs.ts'

function focusHeading() {
  const heading = document.querySelector<HTMLElement>('h1') ?? document.querySelector('main')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}

let waiting: MutationObserver | undefined

/**
 * Focuses the heading once all dialogs are closed: a confirmation that led to this page, or a side
 * modal of the page, may return the focus to an element that no longer exists.
 */
function focusHeadingAfterDialogs() {
  waiting?.disconnect()
  waiting = new MutationObserver((_, observer) => {
    if (document.querySelector('[role=dialog]')) return
    observer.disconnect()
    requestAnimationFrame(() => document.activeElement === document.body && focusHeading())
  })
  waiting.observe(document.body, { childList: true, subtree: true })
}

/**
 * Moves the focus to the heading when the new page is laid out for its first frame. Focusing
 * earlier would force a layout and delay that frame.
 */
function focusWithNextFrame() {
  const before = document.activeElement
  requestAnimationFrame(() => {
    const now = document.activeElement
    if (now?.role === 'tab') return
    // The page focused its first field, or the user moved the focus.
    if (now?.matches('main input') || (now !== before && now !== document.body)) return
    if (document.querySelector('[role=dialog]')) focusHeadingAfterDialogs()
    else focusHeading()
  })
}

/** Announces the new page after a navigation, and moves the focus to its heading. */
export function RouteAnnouncer() {
  const router = useRouter()
  const [message, setMessage] = useState('')
  const shown = useRef('')
  useEffect(() => {
    const current = () => pageOf(router.state.matches) ?? router.state.location.pathname
    // The first page is not announced.
    shown.current ||= current()
    return router.subscribe('onRendered', () => {
      const { matches } = router.state
      const before = shown.current
      shown.current = current()
      // Side modals and query-string tabs are not announced.
      if (before === shown.current) return
      const labels = crumbsOf(matches).map((crumb) => crumb.label)
      setMessage(labels.toReversed().join(', ') || 'Steading Console')
      focusWithNextFrame()
    })
  }, [router])
  return (
    <div aria-live="polite" className="sr-only">
      {message}
    </div>
  )
}
