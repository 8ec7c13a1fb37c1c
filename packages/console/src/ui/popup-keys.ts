/** The menu item reached by keys, and whether it was chosen. */
export type ReachedItem = { index: number; chosen: boolean }

/**
 * Resolves keys to an item. They were pressed on the menu's button, after it was opened and
 * before its list had the focus.
 */
export function itemReachedBy(labels: readonly string[], keys: readonly string[]): ReachedItem {
  let index = -1
  let typed = ''
  for (const key of keys) {
    if (key === 'Enter' || (key === ' ' && !typed)) {
      if (index >= 0) return { index, chosen: true }
    } else if (key.length === 1) {
      typed += key.toLowerCase()
      const found = labels.findIndex((label) => label.toLowerCase().startsWith(typed))
      if (found >= 0) index = found
    } else {
      typed = ''
      index = step(key, index, labels.length)
    }
  }
  return { index, chosen: false }
}

function step(key: string, index: number, count: number): number {
  if (count === 0) return -1
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  if (key === 'ArrowDown') return (index + 1) % count
  if (key === 'ArrowUp') return index <= 0 ? count - 1 : index - 1
  return index
}

/** Whether a menu handles the key. */
export const isMenuKey = (key: string): boolean =>
  key.length === 1 || ['Enter', 'Home', 'End', 'ArrowDown', 'ArrowUp'].includes(key)
