/** Shutdown timeout for unfinished calls, in milliseconds. */
const PATIENCE_MS = 5_000

/**
 * Counts the calls in progress, so that their dependencies are not closed before they have ended.
 */
export function createInFlight() {
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
    /** Resolves when nothing is in progress, or after the timeout. No new work may begin. */
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
