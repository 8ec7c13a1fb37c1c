import type { OpenDatabase } from '../db/database.ts'
import { type Entry, writeEntries } from './entry.ts'

/** Entries that wait at most. Only an attack makes more calls during an outage. */
const MAX_KEPT = 1_000
const BATCH = 50

/**
 * Entries of refused calls that could not be written to the audit log during an outage of the
 * database. They wait in memory for the end of the outage, and are lost if the process is killed.
 */
export interface LateEntries {
  /** @returns false if too many wait already */
  keep: (entry: Entry) => boolean
  /** Writes the waiting entries; those that cannot be written go on waiting. */
  write: () => Promise<void>
  /** Writes the waiting entries for the last time, and logs which ones the audit log misses. */
  stop: () => Promise<void>
}

const CALLS_WAIT =
  'refused calls wait for the audit log until the outage is over, and are lost if the server is killed'

export const missesRequest = (requestId: string): string =>
  `the audit log misses request ${requestId}`

export function createLateEntries(
  database: Pick<OpenDatabase, 'concurrently'>,
  log: (message: string, detail?: unknown) => void,
): LateEntries {
  let waiting: Entry[] = []
  let writing: Promise<void> = Promise.resolve()

  const writeAll = async () => {
    let count = 0
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      await database.concurrently((tx) => writeEntries(tx, batch))
      waiting = waiting.slice(batch.length)
      count += batch.length
    }
    if (count > 0) log(`the audit log has the calls that were refused during the outage: ${count}`)
  }
  const write = () =>
    (writing = writing
      .then(writeAll)
      .catch((error: unknown) => log('writing to the audit log failed', error)))

  return {
    keep(entry) {
      if (waiting.length >= MAX_KEPT) return false
      // If the process is killed meanwhile, no other line says that entries are missing.
      if (waiting.length === 0) log(CALLS_WAIT)
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
