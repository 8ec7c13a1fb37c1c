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
