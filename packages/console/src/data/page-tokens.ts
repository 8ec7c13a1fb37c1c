import { useState } from 'react'

// eslint-disable-next-line no-underscore-dangle -- the router's name for the entry's key
const keyOf = () => `list-pages-${history.state?.__TSR_key}`

/** The list and its tokens; empty without storage, or if it has something else. */
function read(): string[] {
  try {
    return [...JSON.parse(sessionStorage[keyOf()])]
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
  const [[of, ...visited], setVisited] = useState(read)
  const tokens = of === about ? visited : []
  const setTokens = (next: string[]): void => {
    const stored = [about, ...next]
    setVisited(stored)
    // Without storage, or with a full one, the page is forgotten.
    try {
      sessionStorage[keyOf()] = JSON.stringify(stored)
    } catch {}
  }
  return [tokens, setTokens] as const
}
