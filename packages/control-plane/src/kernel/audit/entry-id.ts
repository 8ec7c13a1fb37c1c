/**
 * Entry ids are UUIDs of version 7, which begin with the time of the entry. So the primary key
 * finds an entry by its id, and entries of the same millisecond keep the order in which their
 * server wrote them.
 */

const COUNTS = 4096
let last = { ms: 0, count: 0 }

/** The id of an entry with this time. */
export function entryId(time: Date): string {
  const ms = time.getTime()
  last = { ms, count: last.ms === ms ? Math.min(last.count + 1, COUNTS - 1) : 0 }
  const begin = ms.toString(16).padStart(12, '0')
  const count = last.count.toString(16).padStart(3, '0')
  return `${begin.slice(0, 8)}-${begin.slice(8)}-7${count}${crypto.randomUUID().slice(18)}`
}

/** The time of the entry with this id. */
export const timeOfEntry = (id: string): Date =>
  new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
