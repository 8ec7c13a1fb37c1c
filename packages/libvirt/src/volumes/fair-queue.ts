/**
 * The order of conversions. Who owns many or slow images cannot keep the others waiting: an owner has
 * a part of the places at most, and the owner with the fewest running conversions is next.
 */

/** Conversions that a server does at a time, and those of one owner among them. */
const MAX_RUNNING = 4
const MAX_OF_OWNER = 2
/** Milliseconds after which something that was not asked for again is forgotten. */
const FORGOTTEN_MS = 10_000

export function createFairQueue() {
  /** In the order of their first question. */
  const waiting = new Map<string, { owner: string; asked: number }>()
  return {
    /**
     * Asks for a place. Who gets none asks again.
     * @param running the owner of each that runs now
     * @param now milliseconds of a clock that only goes forward
     * @returns whether it may begin
     */
    enter(id: string, owner: string, running: readonly string[], now: number): boolean {
      for (const [each, { asked }] of waiting) {
        if (now - asked > FORGOTTEN_MS) waiting.delete(each)
      }
      const known = waiting.get(id)
      if (known) known.asked = now
      else waiting.set(id, { owner, asked: now })
      if (running.length >= MAX_RUNNING) return false
      const count = (of: string) => running.filter((each) => each === of).length
      const [next] = [...waiting]
        .filter(([, its]) => count(its.owner) < MAX_OF_OWNER)
        .toSorted(([, one], [, other]) => count(one.owner) - count(other.owner))
      if (next?.[0] !== id) return false
      waiting.delete(id)
      return true
    },
  }
}
