/** Work on each machine, one after the other. */
export interface Turns {
  /** Does work on a machine after all that was asked for earlier. */
  inTurn: <T>(id: string, work: () => Promise<T>) => Promise<T>
  /** Waits until nothing is left to do. */
  settled: () => Promise<void>
}

export function createTurns(): Turns {
  const turns = new Map<string, Promise<unknown>>()
  return {
    inTurn(id, work) {
      const done = (turns.get(id) ?? Promise.resolve()).then(work)
      const settled = done
        .catch(() => {})
        .finally(() => {
          if (turns.get(id) === settled) turns.delete(id)
        })
      turns.set(id, settled)
      return done
    },
    async settled() {
      await Promise.all(turns.values())
    },
  }
}
