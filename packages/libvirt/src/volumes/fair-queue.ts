/**
 * The order of conversions. An owner with many or slow images cannot keep the others waiting: each
 * owner has a part of the places at most, and the owner with the fewest running conversions is next.
 */

/** Conversions that a server does at a time, and those of an owner among them. */
const MAX_RUNNING = 4
const MAX_OF_OWNER = 2
/** Milliseconds after which a conversion that was not asked for again is forgotten. */
const FORGOTTEN_MS = 10_000

export function createFairQueue() {
  /** In the order in which they were first asked for. */
  const waiting = new Map<string, { owner: string; asked: number }>()
  return {
    /**
     * Asks for a place. A caller that gets none asks again.
     * @param running the owner of each running conversion
     * @param now milliseconds of a clock that only goes forward
     * @returns whether the conversion may begin
     */
    enter(id: string, owner: string, running: readonly string[], now: number): boolean {
      for (const [other, { asked }] of waiting) {
        if (now - asked > FORGOTTEN_MS) waiting.delete(other)
      }
      const known = waiting.get(id)
      if (known) known.asked = now
      else waiting.set(id, { owner, asked: now })
      if (running.length >= MAX_RUNNING) return false
      const count = (of: string) => running.filter((each) => each === of).length
      const [next] = [...waiting]
        .map(([waitingId, entry]) => ({ id: waitingId, running: count(entry.owner) }))
        .filter((entry) => entry.running < MAX_OF_OWNER)
        .toSorted((a, b) => a.running - b.running)
      if (next?.id !== id) return false
      waiting.delete(id)
      return true
    },
  }
}
