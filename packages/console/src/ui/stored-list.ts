/** A list under a key of this browser; empty if there is none, or something else under the key. */
export function storedList(key: string | undefined): unknown[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(key ?? '') ?? '[]')
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

/** Stores a list in this browser. Without space for it, the former list stays. */
export function storeList(key: string, list: readonly unknown[]): void {
  try {
    if (list.length > 0) localStorage.setItem(key, JSON.stringify(list))
    else localStorage.removeItem(key)
  } catch {
    // A browser without storage, or whose storage is full, remembers nothing.
  }
}
