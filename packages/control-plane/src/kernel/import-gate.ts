import type { OpenDatabase } from './db/database.ts'
import { databaseTime, LEASE_MS, leaseIsOver, RENEW_MS } from './db/leases.ts'

/**
 * Counts the chunks under way into each disk. A chunk is counted before it looks at the state of
 * its disk; so once a state is written that takes no chunks, and those counted then are through,
 * none will follow.
 *
 * Where several servers share the database, a server says there that it writes to a disk, before
 * its first chunk and until a moment after its last.
 */
export interface ImportGate {
  /** Counts a piece of work for as long as it takes. */
  pass: <T>(diskId: string, work: () => Promise<T>) => Promise<T>
  /** What was under way into a disk when this was called is through, at all servers. */
  drained: (diskId: string) => Promise<void>
  /** Waits for what is under way, and takes back what was said. */
  close: () => Promise<void>
}

/** How long a server stays a writer after its last chunk, in milliseconds. */
const IDLE_MS = 100
/** How often writers at other servers are looked for, in milliseconds. */
const POLL_MS = 25

/** Chunks under way into one disk. */
interface Writing {
  chunks: Set<Promise<unknown>>
  /** The other servers can see that there are some. */
  told: Promise<void>
  /** Until when they take this server for a writer, by the time that passes here. */
  sureUntil: number
  renewal?: ReturnType<typeof setInterval>
  idle?: ReturnType<typeof setTimeout>
}

export function createImportGate({ db, dialect, shared }: OpenDatabase): ImportGate {
  const server = crypto.randomUUID()
  const writing = new Map<string, Writing>()

  /** What is being taken back; told again only after that. */
  const leaving = new Map<string, Promise<void>>()

  const tell = async (diskId: string, here: Writing): Promise<void> => {
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
  const takeBack = (diskId: string): void => {
    const gone = db
      .deleteFrom('import_writer')
      .where('disk_id', '=', diskId)
      .where('server', '=', server)
      .execute()
      // What cannot be taken back runs out.
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
    const here: Writing = { chunks: new Set(), told: Promise.resolve(), sureUntil: Infinity }
    writing.set(diskId, here)
    if (shared) {
      here.told = tell(diskId, here)
      const renew = () => tell(diskId, here).catch(() => {})
      here.renewal = setInterval(() => void here.told.then(renew, () => {}), RENEW_MS)
    }
    return here
  }
  const end = (diskId: string): void => {
    const here = writing.get(diskId)
    if (!here || here.chunks.size > 0) return
    clearInterval(here.renewal)
    writing.delete(diskId)
    if (shared) takeBack(diskId)
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

  /** Removes what servers that died have left behind. */
  const forgetDead = async (diskId: string): Promise<void> => {
    await db
      .deleteFrom('import_writer')
      .where('disk_id', '=', diskId)
      .where(leaseIsOver(dialect, 'lease_until'))
      .execute()
  }

  return {
    async pass(diskId, work) {
      const here = begin(diskId)
      const running = here.told.then(work)
      here.chunks.add(running)
      try {
        const result = await running
        // Another server may have taken the import for over; then this came too late to count.
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
      if (shared) await forgetDead(diskId)
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
