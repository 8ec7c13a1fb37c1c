import { useState } from 'react'

// eslint-disable-next-line no-underscore-dangle -- the router's name for the entry's key
const keyOf = () => `list-pages-${history.state?.__TSR_key}`

/**
 * The tokens of the pages up to the shown one; none on the first page. A reload, and the way back
 * from an item, lead to the same page of the list.
 * @param about the list and its search: another one begins at its first page
 */
export function usePageTokens(about: string) {
  const [visited, setVisited] = useState<[string, string[]]>(() =>
    JSON.parse(sessionStorage[keyOf()] ?? '[]'),
  )
  const tokens = visited[0] === about ? visited[1] : []
  const setTokens = (next: string[]): void => {
    setVisited([about, next])
    // A full storage forgets the page.
    try {
      sessionStorage[keyOf()] = JSON.stringify([about, next])
    } catch {}
  }
  return [tokens, setTokens] as const
}
