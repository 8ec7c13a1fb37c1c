import { useEffect, useRef } from 'react'

/** Once the rows of another page are in, the window goes to its top. */
export function useScrollToTop(pageToken: string | undefined, waiting: boolean) {
  const shown = useRef(pageToken)
  useEffect(() => {
    if (waiting || shown.current === pageToken) return
    shown.current = pageToken
    window.scrollTo(0, 0)
  }, [pageToken, waiting])
}
