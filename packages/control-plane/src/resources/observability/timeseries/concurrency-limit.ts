import { yieldToEventLoop } from '../../../kernel/event-loop.ts'

/** Runs a limited amount of work at a time; the rest waits in the order of arrival. */
export interface ConcurrencyLimit {
  /** @throws the reason of the signal, if it aborts before the work has begun */
  run: <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>
}

export function createConcurrencyLimit(atOnce: number): ConcurrencyLimit {
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
    async run(work, signal) {
      signal.throwIfAborted()
      if (free > 0) free--
      else {
        await turn(signal)
        // Waiting work does not begin in the turn of the event loop in which other work ends.
        await yieldToEventLoop()
      }
      try {
        return await work()
      } finally {
        // The next one takes over this one's slot.
        const next = waiting.shift()
        if (next) next()
        else free++
      }
    },
  }
}
