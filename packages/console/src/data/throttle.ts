const FIRST_RETRY = 500
/** Milliseconds. */
export const LONGEST_RETRY = 30_000

/**
 * Delay after consecutive failures: exponential, with jitter so that clients do not retry
 * together.
 */
export function retryDelay(failures: number): number {
  const longest = Math.min(FIRST_RETRY * 2 ** (failures - 1), LONGEST_RETRY)
  return longest * (0.5 + Math.random() / 2)
}

/** Resolves after this many milliseconds, or once aborted. */
export const wait = (milliseconds: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/**
 * Limits concurrent reads, in the order of requests, so that the reads of a table's rows do not
 * delay everything else.
 */
export function limitConcurrency(most: number): <T>(read: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (read) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await read()
    } finally {
      // The next one takes the free slot.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
