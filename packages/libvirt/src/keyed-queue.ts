/** Work on a machine waits for at most this much other work. */
const WAITING_MAX = 100

/** Work on each machine, one after the other. */
export interface KeyedQueue {
  /**
   * Does work on a machine after all that was asked for earlier.
   * @throws if much is waiting already
   */
  serialize: <T>(id: string, work: () => Promise<T>) => Promise<T>
  /** The same, for work that is left out while work of its name waits for the machine. */
  serializeOnce: (id: string, name: string, work: () => Promise<unknown>) => Promise<void>
  /** Whether work on a machine is running or waits. */
  isBusy: (id: string) => boolean
  /** Waits until nothing is left to do. */
  settled: () => Promise<void>
}

export function createKeyedQueue(): KeyedQueue {
  const turns = new Map<string, { last: Promise<unknown>; waiting: Set<string | symbol> }>()

  const enter = <T>(id: string, name: string | symbol, work: () => Promise<T>): Promise<T> => {
    const turn = turns.get(id) ?? { last: Promise.resolve(), waiting: new Set() }
    const { waiting } = turn
    if (waiting.size >= WAITING_MAX) {
      return Promise.reject(new Error(`too much is to be done with the machine ${id}`))
    }
    waiting.add(name)
    const done = turn.last.then(() => {
      waiting.delete(name)
      return work()
    })
    const settled = done
      .catch(() => {})
      .finally(() => {
        if (turn.last === settled) turns.delete(id)
      })
    turn.last = settled
    turns.set(id, turn)
    return done
  }

  return {
    serialize: (id, work) => enter(id, Symbol('work'), work),
    async serializeOnce(id, name, work) {
      if (!turns.get(id)?.waiting.has(name)) await enter(id, name, work)
    },
    isBusy: (id) => turns.has(id),
    async settled() {
      await Promise.all([...turns.values()].map(({ last }) => last))
    },
  }
}
