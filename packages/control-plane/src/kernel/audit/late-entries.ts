import type { OpenDatabase } from '../db/database.ts'
import { type Entry, writeEntries } from './entry.ts'

/** An outage lasts longer than this number of refused calls only under attack. */
const MAX_KEPT = 1_000
const BATCH = 50

/**
 * Entries of refused calls that an outage of the database kept from the audit log. They wait in
 * memory until it is over.
 */
export interface LateEntries {
  /** @returns false if too many wait already */
  keep: (entry: Entry) => boolean
  /** Writes what waits. If that fails, it goes on waiting. */
  write: () => Promise<void>
  /** Writes what waits for the last time, and logs what the audit log misses. */
  stop: () => Promise<void>
}

export const missesRequest = (requestId: string): string =>
  `the audit log misses request ${requestId}`

export function createLateEntries(
  database: Pick<OpenDatabase, 'concurrently'>,
  log: (message: string, detail?: unknown) => void,
): LateEntries {
  let waiting: Entry[] = []
  let writing: Promise<void> = Promise.resolve()

  const writeAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      await database.concurrently((tx) => writeEntries(tx, batch))
      waiting = waiting.slice(batch.length)
    }
  }
  const write = () =>
    (writing = writing
      .then(writeAll)
      .catch((error: unknown) => log('writing to the audit log failed', error)))

  return {
    keep(entry) {
      if (waiting.length >= MAX_KEPT) return false
      waiting.push(entry)
      return true
    },
    write,
    async stop() {
      await write()
      for (const { row } of waiting) log(missesRequest(row.request_id))
    },
  }
}
