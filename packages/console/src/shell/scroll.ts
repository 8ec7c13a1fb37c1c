import type { AnyRouter } from '@tanstack/react-router'
import { pageOf } from './crumbs.ts'

// eslint-disable-next-line no-underscore-dangle -- the router's name for the entry's key
const keyOf = (state: { __TSR_key?: string }) => `scroll-position-${state.__TSR_key ?? 'first'}`
const save = (key: string) => sessionStorage.setItem(key, String(Math.round(window.scrollY)))

/**
 * The window's offset per history entry. Landing on another page restores the saved offset or goes
 * to the top; opening a side modal or another query tab is the same page and leaves it alone.
 */
export function restoreScroll(router: AnyRouter): void {
  history.scrollRestoration = 'manual'
  let page: string | undefined
  let entry: string | undefined
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
    else window.scrollTo(0, Number(sessionStorage.getItem(entry) ?? 0))
  })
  addEventListener('pagehide', () => entry && save(entry))
}
