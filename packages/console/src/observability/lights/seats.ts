/**
 * Lights keep their places while a picture is shown: one that goes leaves its place empty, and the
 * next one that comes takes the first empty place.
 */

/** The ids of a unit's instances by place; null for an empty one. */
export type Seats = readonly (string | null)[]

export function seat(before: Seats, ids: readonly string[]): Seats {
  const present = new Set(ids)
  const seats = before.map((id) => (id !== null && present.delete(id) ? id : null))
  let free = 0
  // In the order of the answer.
  for (const id of ids) {
    if (!present.has(id)) continue
    while (free < seats.length && seats[free] !== null) free++
    seats[free] = id
  }
  while (seats.at(-1) === null) seats.pop()
  return seats
}
