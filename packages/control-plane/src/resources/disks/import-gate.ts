/**
 * Counts the chunks under way into each disk. A chunk is counted before it looks at the state of
 * its disk; so once a state is written that takes no chunks, and those counted then are through,
 * none will follow.
 */
export interface ImportGate {
  /** Counts a piece of work for as long as it takes. */
  pass: <T>(diskId: string, work: () => Promise<T>) => Promise<T>
  /** What was under way into a disk when this was called is through. */
  drained: (diskId: string) => Promise<void>
}

export function createImportGate(): ImportGate {
  const underWay = new Map<string, Set<Promise<unknown>>>()
  return {
    async pass(diskId, work) {
      let here = underWay.get(diskId)
      if (!here) underWay.set(diskId, (here = new Set()))
      const running = work()
      here.add(running)
      try {
        return await running
      } finally {
        here.delete(running)
        if (here.size === 0 && underWay.get(diskId) === here) underWay.delete(diskId)
      }
    },
    async drained(diskId) {
      await Promise.allSettled(underWay.get(diskId) ?? [])
    },
  }
}
