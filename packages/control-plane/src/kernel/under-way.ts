/** Milliseconds for which the end waits for work that does not come to an end. */
const PATIENCE_MS = 5_000

/** Counts the work that is under way, so that what it needs is not closed before it has ended. */
export function createUnderWay() {
  let count = 0
  let whenNone: (() => void) | undefined
  return {
    async of<T>(work: T | Promise<T>): Promise<T> {
      count++
      try {
        return await work
      } finally {
        if (--count === 0) whenNone?.()
      }
    },
    /** Resolves when nothing is under way, or after some seconds. Nothing new may begin. */
    async ended(): Promise<void> {
      if (count === 0) return
      const none = Promise.withResolvers<void>()
      whenNone = none.resolve
      const timer = setTimeout(none.resolve, PATIENCE_MS)
      await none.promise
      clearTimeout(timer)
    },
  }
}
