/** Tests that long work is done in pieces, between which other work has its turn. */
import { setImmediate } from 'node:timers/promises'

export interface PerTurn {
  /** Something was worked on. */
  note: (thing: unknown) => void
  /**
   * Ends the count.
   * @returns most things of a turn; the pieces of work before and after its beginning may count as one
   */
  most: () => Promise<number>
}

/** Counts on how many things the process works in a turn of the event loop, at most. */
export function perTurn(): PerTurn {
  const things = new Set<unknown>()
  let most = 0
  let counting = true
  const count = async () => {
    while (counting) {
      things.clear()
      await setImmediate()
      most = Math.max(most, things.size)
    }
  }
  const counted = count()
  return {
    note: (thing) => void things.add(thing),
    async most() {
      counting = false
      await counted
      return most
    },
  }
}
