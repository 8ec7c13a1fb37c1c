const FIRST_RETRY = 500
/** Milliseconds. */
export const LONGEST_RETRY = 30_000

/** How long to wait after so many failures in a row: ever longer, and never all clients at once. */
export function retryDelay(failures: number): number {
  const longest = Math.min(FIRST_RETRY * 2 ** (failures - 1), LONGEST_RETRY)
  return longest * (0.5 + Math.random() / 2)
}

/** Resolves after so many milliseconds, or once aborted. */
export const wait = (milliseconds: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/**
 * Runs reads a few at a time, in the order in which they were asked for: those of the rows of a table
 * would otherwise keep everything else waiting.
 */
export function fewAtOnce(most: number): <T>(read: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (read) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await read()
    } finally {
      // The next one takes the place.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
