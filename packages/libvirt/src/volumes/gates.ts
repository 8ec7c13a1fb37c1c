/**
 * Order of the work on a volume in this process: reads and writes run side by side, changes of its
 * layers alone.
 */
export interface Gates {
  shared: <T>(id: string, work: () => Promise<T>) => Promise<T>
  alone: <T>(id: string, work: () => Promise<T>) => Promise<T>
}

interface Gate {
  /** Ends with the last work that ran or will run alone. */
  last: Promise<unknown>
  /** Work since then. */
  beside: Set<Promise<unknown>>
}

const settled = (work: Promise<unknown>): Promise<void> =>
  work.then(
    () => {},
    () => {},
  )

export function createGates(): Gates {
  const gates = new Map<string, Gate & { users: number }>()

  const enter = (id: string) => {
    let gate = gates.get(id)
    if (!gate) gates.set(id, (gate = { last: Promise.resolve(), beside: new Set(), users: 0 }))
    gate.users++
    return gate
  }
  const leaving = <T>(id: string, gate: { users: number }, turn: Promise<T>): Promise<T> =>
    turn.finally(() => {
      if (--gate.users === 0) gates.delete(id)
    })

  return {
    shared(id, work) {
      const gate = enter(id)
      const turn = gate.last.then(work)
      const ended = settled(turn).then(() => void gate.beside.delete(ended))
      gate.beside.add(ended)
      return leaving(id, gate, turn)
    },
    alone(id, work) {
      const gate = enter(id)
      const turn = Promise.all([gate.last, ...gate.beside]).then(work)
      gate.last = settled(turn)
      return leaving(id, gate, turn)
    },
  }
}
