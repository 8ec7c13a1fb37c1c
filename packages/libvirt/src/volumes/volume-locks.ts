/**
 * Order of the work on a volume in this process: reads and writes run side by side, changes of its
 * layers alone.
 */
export interface VolumeLocks {
  shared: <T>(id: string, work: () => Promise<T>) => Promise<T>
  alone: <T>(id: string, work: () => Promise<T>) => Promise<T>
}

interface VolumeLock {
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

export function createVolumeLocks(): VolumeLocks {
  const locks = new Map<string, VolumeLock & { users: number }>()

  const enter = (id: string) => {
    let lock = locks.get(id)
    if (!lock) locks.set(id, (lock = { last: Promise.resolve(), beside: new Set(), users: 0 }))
    lock.users++
    return lock
  }
  const leaving = <T>(id: string, lock: { users: number }, turn: Promise<T>): Promise<T> =>
    turn.finally(() => {
      if (--lock.users === 0) locks.delete(id)
    })

  return {
    shared(id, work) {
      const lock = enter(id)
      const turn = lock.last.then(work)
      const ended = settled(turn).then(() => void lock.beside.delete(ended))
      lock.beside.add(ended)
      return leaving(id, lock, turn)
    },
    alone(id, work) {
      const lock = enter(id)
      const turn = Promise.all([lock.last, ...lock.beside]).then(work)
      lock.last = settled(turn)
      return leaving(id, lock, turn)
    },
  }
}
