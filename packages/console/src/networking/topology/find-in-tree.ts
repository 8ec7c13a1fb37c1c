import { INTERNET } from './graph.ts'
import type { Item } from './layout.ts'

/** The name of a tree item. */
export function nameOf(item: Item): string {
  switch (item.kind) {
    case 'internet':
      return 'Internet'
    case 'group':
      return groupNoun[item.node.tone]
    case 'station':
      return item.node.instance
    default:
      return item.node.name
  }
}

export const groupNoun = {
  works: 'Running',
  off: 'Stopped',
  changing: 'Changing',
  attention: 'In need of attention',
  failed: 'Failed',
} as const

/** @returns the item a key moves to from another one, by the usual keys of trees */
export function itemByKey(items: readonly Item[], from: string, key: string): string | undefined {
  const index = items.findIndex(({ id }) => id === from)
  const item = items[index]
  if (!item) return items[0]?.id ?? INTERNET
  switch (key) {
    case 'ArrowDown':
      return items[index + 1]?.id
    case 'ArrowUp':
      return items[index - 1]?.id
    case 'ArrowRight':
      return item.expanded ? items.find(({ parent }) => parent === item.id)?.id : undefined
    case 'ArrowLeft':
      return item.parent
    case 'Home':
      return items[0]!.id
    case 'End':
      return items.at(-1)!.id
  }
  if (key.length !== 1 || key === ' ') return undefined
  const rest = [...items.slice(index + 1), ...items.slice(0, index)]
  return rest.find((one) => nameOf(one).toLowerCase().startsWith(key.toLowerCase()))?.id
}
