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
