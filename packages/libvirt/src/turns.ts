/** Work on a machine waits for at most this much other work. */
const WAITING_MAX = 100

/** Work on each machine, one after the other. */
export interface Turns {
  /**
   * Does work on a machine after all that was asked for earlier.
   * @throws if much is waiting already
   */
  inTurn: <T>(id: string, work: () => Promise<T>) => Promise<T>
  /** Waits until nothing is left to do. */
  settled: () => Promise<void>
}

export function createTurns(): Turns {
  const turns = new Map<string, Promise<unknown>>()
  const waiting = new Map<string, number>()
  return {
    inTurn(id, work) {
      const count = (waiting.get(id) ?? 0) + 1
      if (count > WAITING_MAX) {
        return Promise.reject(new Error(`too much is to be done with the machine ${id}`))
      }
      waiting.set(id, count)
      const done = (turns.get(id) ?? Promise.resolve()).then(() => {
        waiting.set(id, waiting.get(id)! - 1)
        return work()
      })
      const settled = done
        .catch(() => {})
        .finally(() => {
          if (turns.get(id) !== settled) return
          turns.delete(id)
          waiting.delete(id)
        })
      turns.set(id, settled)
      return done
    },
    async settled() {
      await Promise.all(turns.values())
    },
  }
}
