/** Items sorted, or written, between two breaths. */
const AT_ONCE = 1_000

type Keyed = { key: string }

/** Merges two sorted lists. */
async function merged<T extends Keyed>(
  a: readonly T[],
  b: readonly T[],
  breathe: () => Promise<void>,
): Promise<T[]> {
  const result: T[] = []
  let inA = 0
  let inB = 0
  while (inA < a.length && inB < b.length) {
    result.push(b[inB]!.key < a[inA]!.key ? b[inB++]! : a[inA++]!)
    if (result.length % AT_ONCE === 0) await breathe()
  }
  return [...result, ...a.slice(inA), ...b.slice(inB)]
}

/** Sorts by the keys, as `sort` does, but a long list would block the thread there for long. */
export async function sortedByKey<T extends Keyed>(
  items: readonly T[],
  breathe: () => Promise<void>,
): Promise<T[]> {
  let lists: T[][] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    lists.push(items.slice(at, at + AT_ONCE).sort((a, b) => (a.key < b.key ? -1 : 1)))
    await breathe()
  }
  while (lists.length > 1) {
    const next: T[][] = []
    for (let at = 0; at < lists.length; at += 2) {
      const [a, b] = [lists[at]!, lists[at + 1]]
      next.push(b ? await merged(a, b, breathe) : a)
    }
    lists = next
  }
  return lists[0] ?? []
}
