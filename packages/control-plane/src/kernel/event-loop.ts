/**
 * Shares the only thread: long work yields to the other work of this process. A database inside the
 * process blocks the thread while it answers, and so does long computation.
 */

/** `setImmediate` of Node has no delay; browsers have timers only. */
const nextTurn: (work: () => void) => void =
  (globalThis as { setImmediate?: (work: () => void) => void }).setImmediate ?? setTimeout

/** Runs pieces of work in later turns of the event loop, one per turn, in the order of `next`. */
export function onePerTurn(next: () => (() => void) | undefined): () => void {
  let armed = false
  const turn = () => {
    const work = next()
    if (work === undefined) {
      armed = false
      return
    }
    nextTurn(turn)
    work()
  }
  return () => {
    if (armed) return
    armed = true
    nextTurn(turn)
  }
}

/** Items of a list per turn of the event loop; each takes up to a millisecond. */
const ITEMS_PER_TURN = 20

const waiting: (() => void)[] = []
const wake = onePerTurn(() => waiting.shift())

/**
 * Yields to other work. Only one waiting piece of work resumes in each turn of the event loop, so
 * many slices of long work do not add up to a long turn.
 */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    wake()
  })

/** The items of a list, a few per turn of the event loop, for loops with a query for each item. */
export async function* fewPerTurn<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let count = 0
  for (const item of items) {
    if (++count % ITEMS_PER_TURN === 0) await yieldToEventLoop()
    yield item
  }
}

/** Measures how long the present turn of the event loop has been running. */
export function createTurnClock(): () => number {
  let began: number | undefined
  return () => {
    if (began === undefined) {
      began = performance.now()
      nextTurn(() => (began = undefined))
    }
    return performance.now() - began
  }
}
