import { useState } from 'react'

// eslint-disable-next-line no-underscore-dangle -- the router's name for the entry's key
const keyOf = () => `list-pages-${history.state?.__TSR_key ?? 'first'}`

function stored(about: string): string[] {
  try {
    const { [about]: tokens = [] } = JSON.parse(sessionStorage[keyOf()]) as Record<string, string[]>
    return tokens
  } catch {
    return []
  }
}

/**
 * The tokens of the pages up to the shown one; none on the first page. A reload, and the way back
 * from an item, lead to the same page of the list.
 * @param about the list and its search: another one begins at its first page
 */
export function usePageTokens(about: string) {
  const [visited, setVisited] = useState({ about, tokens: stored(about) })
  const tokens = visited.about === about ? visited.tokens : []
  const setTokens = (next: string[]): void => {
    setVisited({ about, tokens: next })
    try {
      sessionStorage[keyOf()] = JSON.stringify({ [about]: next })
    } catch {
      // A browser without storage, or a full one, forgets the page.
    }
  }
  return [tokens, setTokens] as const
}
