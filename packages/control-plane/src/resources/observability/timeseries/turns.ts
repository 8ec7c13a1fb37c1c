import { breathe } from '../../../kernel/breathe.ts'

/** Work of which so much is done at a time; the rest waits, in the order in which it came. */
export interface Turns {
  /** @throws the reason of the signal, if it aborts before the work has begun */
  take: <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>
}

export function createTurns(atOnce: number): Turns {
  let free = atOnce
  const waiting: (() => void)[] = []
  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        waiting.splice(waiting.indexOf(begin), 1)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.push(begin)
    })
  return {
    async take(work, signal) {
      signal.throwIfAborted()
      if (free > 0) free--
      else {
        await turn(signal)
        // Works that have waited do not begin in the turn of the event loop in which others end.
        await breathe()
      }
      try {
        return await work()
      } finally {
        // The next one gets the place of this one.
        const next = waiting.shift()
        if (next) next()
        else free++
      }
    },
  }
}
