import type { AnyRouter } from '@tanstack/react-router'
import { pageOf } from './crumbs.ts'

// eslint-disable-next-line no-underscore-dangle -- the router's name for the entry's key
const keyOf = (state: { __TSR_key?: string }) => `scroll-position-${state.__TSR_key ?? 'first'}`
const restore = (key: string) => window.scrollTo(0, Number(sessionStorage.getItem(key) ?? 0))

/**
 * The window's scroll offset per history entry. Another page restores its offset or starts at
 * the top; a side modal or another query tab belongs to the same page and keeps the offset.
 * Called when the first page has loaded.
 */
export function restoreScroll(router: AnyRouter): void {
  history.scrollRestoration = 'manual'
  // Reading it when a page is left would force another layout of that page.
  let offset = window.scrollY
  addEventListener('scroll', () => (offset = window.scrollY), { passive: true })
  const save = (key: string) => sessionStorage.setItem(key, String(Math.round(offset)))
  const { matches, location } = router.state
  let page = pageOf(matches) ?? location.pathname
  let entry = keyOf(location.state)
  // After a reload, the first page is about to be drawn.
  requestAnimationFrame(() => setTimeout(() => restore(entry)))
  router.subscribe('onBeforeNavigate', ({ fromLocation }) => {
    if (fromLocation) save(keyOf(fromLocation.state))
  })
  router.subscribe('onRendered', ({ toLocation }) => {
    const before = page
    const beforeEntry = entry
    page = pageOf(router.state.matches) ?? toLocation.pathname
    entry = keyOf(toLocation.state)
    if (entry === beforeEntry) return
    if (page === before) save(entry)
    else restore(entry)
  })
  addEventListener('pagehide', () => save(entry))
}
