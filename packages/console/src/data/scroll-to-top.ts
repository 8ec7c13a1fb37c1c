import { useLayoutEffect, useRef } from 'react'

/** Once the rows of another page are in, the window and its table go to their tops. */
export function useScrollToTop(pageToken: string | undefined, waiting: boolean) {
  const shown = useRef(pageToken)
  // With the layout: they are never seen where the page before was left.
  useLayoutEffect(() => {
    if (waiting || shown.current === pageToken) return
    shown.current = pageToken
    window.scrollTo(0, 0)
    // A table in less room than it needs scrolls by itself.
    document.querySelector('.table-frame')?.scrollTo({ top: 0 })
  }, [pageToken, waiting])
}
