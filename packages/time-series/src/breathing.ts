import { setImmediate } from 'node:timers/promises'

/** Milliseconds of long work, after which other work has its turn. */
const SLICE_MS = 5

/**
 * Lets long work yield after each slice: it awaits the function often.
 * @param rest the time between two slices; by default, other work only has its turn
 */
export function breathing(
  rest: () => Promise<unknown> = () => setImmediate(),
): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began < SLICE_MS) return
    await rest()
    began = performance.now()
  }
}
