import type { OpenDatabase } from './db/database.ts'
import { databaseTime, LEASE_MS, leaseIsOver, RENEW_MS } from './db/leases.ts'

/**
 * Counts the chunks being written to each disk. A chunk is counted before the state of its disk is
 * read. So once a state that refuses chunks is committed, and all chunks counted by then are
 * written, no chunk can follow.
 *
 * Where several servers share the database, a server has a row there while it writes to a disk:
 * from before its first chunk until a moment after its last.
 */
export interface ImportLock {
  /** Counts a piece of work while it runs. */
  pass: <T>(diskId: string, work: () => Promise<T>) => Promise<T>
  /** Resolves when all chunks counted for a disk before this call are written, on all servers. */
  drained: (diskId: string) => Promise<void>
  /** Waits for the chunks being written, and removes the rows of this server. */
  close: () => Promise<void>
}

/** How long a server keeps its row after its last chunk, in milliseconds. */
const IDLE_MS = 100
/** How often to look for rows of other servers, in milliseconds. */
const POLL_MS = 25

/** Chunks being written to one disk. */
interface Writing {
  chunks: Set<Promise<unknown>>
  /** Resolves when the row of this server is committed, so that the other servers see it. */
  announced: Promise<void>
  /** Time until which the row is certainly valid, by the monotonic clock of this process. */
  sureUntil: number
  renewal?: ReturnType<typeof setInterval>
  idle?: ReturnType<typeof setTimeout>
}

export function createImportLock({ db, dialect, shared }: OpenDatabase): ImportLock {
  const server = crypto.randomUUID()
  const writing = new Map<string, Writing>()

  /** Rows being removed; a new one is written only after that. */
  const leaving = new Map<string, Promise<void>>()

  const announce = async (diskId: string, here: Writing): Promise<void> => {
    await leaving.get(diskId)
    const sureUntil = performance.now() + LEASE_MS
    const lease_until = databaseTime(dialect, LEASE_MS)
    await db
      .insertInto('import_writer')
      .values({ disk_id: diskId, server, lease_until })
      .onConflict((conflict) =>
        conflict.columns(['disk_id', 'server']).doUpdateSet({ lease_until }),
      )
      .execute()
    here.sureUntil = sureUntil
  }
  const withdraw = (diskId: string): void => {
    const gone = db
      .deleteFrom('import_writer')
      .where('disk_id', '=', diskId)
      .where('server', '=', server)
      .execute()
      // A row that cannot be removed expires.
      .then(
        () => {},
        () => {},
      )
      .finally(() => leaving.delete(diskId))
    leaving.set(diskId, gone)
  }

  const begin = (diskId: string): Writing => {
    const found = writing.get(diskId)
    if (found) {
      clearTimeout(found.idle)
      return found
    }
    const here: Writing = { chunks: new Set(), announced: Promise.resolve(), sureUntil: Infinity }
    writing.set(diskId, here)
    if (shared) {
      here.announced = announce(diskId, here)
      const renew = () => announce(diskId, here).catch(() => {})
      here.renewal = setInterval(() => void here.announced.then(renew, () => {}), RENEW_MS)
    }
    return here
  }
  const end = (diskId: string): void => {
    const here = writing.get(diskId)
    if (!here || here.chunks.size > 0) return
    clearInterval(here.renewal)
    writing.delete(diskId)
    if (shared) withdraw(diskId)
  }
  const endSoon = (diskId: string, here: Writing): void => {
    if (!shared) return end(diskId)
    here.idle = setTimeout(() => end(diskId), IDLE_MS)
  }

  const elsewhere = (diskId: string) =>
    db
      .selectFrom('import_writer')
      .select('server')
      .where('disk_id', '=', diskId)
      .where('server', '!=', server)
      .where((eb) => eb.not(leaseIsOver(dialect, 'lease_until')))
      .executeTakeFirst()

  /** Removes the rows of servers that died. */
  const removeDead = async (diskId: string): Promise<void> => {
    await db
      .deleteFrom('import_writer')
      .where('disk_id', '=', diskId)
      .where(leaseIsOver(dialect, 'lease_until'))
      .execute()
  }

  return {
    async pass(diskId, work) {
      const here = begin(diskId)
      const running = here.announced.then(work)
      here.chunks.add(running)
      try {
        const result = await running
        // Another server may have ended the import already; this chunk is too late then.
        if (performance.now() > here.sureUntil) throw new Error(`lost the import of disk ${diskId}`)
        return result
      } finally {
        here.chunks.delete(running)
        if (here.chunks.size === 0) endSoon(diskId, here)
      }
    },
    async drained(diskId) {
      await Promise.allSettled(writing.get(diskId)?.chunks ?? [])
      while (shared && (await elsewhere(diskId))) {
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
      if (shared) await removeDead(diskId)
    },
    async close() {
      for (const [diskId, here] of writing) {
        await Promise.allSettled(here.chunks)
        clearTimeout(here.idle)
        end(diskId)
      }
      await Promise.all(leaving.values())
    },
  }
}
