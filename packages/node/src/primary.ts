/** Connections to the primary, which accepts writes, among several PostgreSQL hosts. */
import { PRIMARY_LEFT_SECONDS } from '@steading/api/rules'
import type { Client, Pool, PoolClient } from 'pg'
import { findPrimary, giveUp, ReadOnlyError, requireWritable } from './primary-search.ts'

/** Milliseconds for a host to answer, with a new connection. */
const ANSWER_MS: Record<HostCount, number> = { one: 5_000, several: 2_500 }

/**
 * Milliseconds after which a statement without an answer is a reason to look whether the host is
 * still the primary. Statements may take longer, and wait for locks and standbys.
 */
const SUSPICIOUS_MS: Record<HostCount, number> = { one: 10_000, several: 3_000 }

/**
 * Milliseconds between two looks without a reason: an old primary that was cut off from the others
 * answers reads from what it has.
 */
const LOOK_MS = PRIMARY_LEFT_SECONDS * 1_000 - ANSWER_MS.several
const TICK_MS = 1_000

/**
 * Milliseconds for which the result of a search that found no primary stands. Transactions that wait
 * for each other would each wait for a search of its own otherwise, and the last ones still do long
 * after there is a primary again.
 */
const REST_MS = 250

type HostCount = 'one' | 'several'

/** Connections to the host that accepts writes; after it fails or is demoted, to the next one. */
export interface PrimaryPool {
  connect: () => Promise<PoolClient>
  /** Leaves a pool whose server is not the primary any more; present statements go on. */
  leave: (pool: Pool) => void
  /**
   * Notes a statement that was sent on a connection of a pool.
   * @returns a function to call at its end
   */
  sent: (pool: Pool) => () => void
  /** Fails while no host accepts writes. */
  probe: () => Promise<void>
  /** The present connections. */
  counts: () => Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>
  end: () => Promise<void>
  /** Kysely requires them, and uses none. */
  options: object
}

/** A host, and the connections to it. */
interface Host {
  url: string
  pool: Pool
  clients: Set<Client>
  /** When each statement without an answer was sent, the oldest first. */
  waiting: Map<object, number>
  /** When a statement last ended. */
  answeredAt: number
}

/**
 * @param open makes the pool of a host, whose new connections are checked by `requireWritable`
 * @param isGone whether an error means that a server cannot be reached
 */
export function createPrimaryPool(
  urls: readonly string[],
  open: (url: string) => Pool,
  isGone: (error: unknown) => boolean,
): PrimaryPool {
  const count: HostCount = urls.length > 1 ? 'several' : 'one'
  const answerMs = ANSWER_MS[count]
  const suspiciousMs = SUSPICIOUS_MS[count]
  /** The primary in use, and the search for the next one. */
  let current: Host | undefined
  let search: Promise<Host> | undefined
  /** The last search, if it found none, and until when its result stands. */
  let failure: { error: unknown; until: number } | undefined
  /** The highest timeline of a primary so far. A host of a lower one was replaced. */
  let timeline = 0
  let looking: Promise<void> | undefined
  let lookedAt = 0
  const left = new Set<Host>()
  const ending = new Set<Promise<void>>()

  const leaveHost = (host: Host) => {
    if (host !== current) return
    current = undefined
    left.add(host)
    const ended: Promise<void> = host.pool.end().finally(() => {
      ending.delete(ended)
      left.delete(host)
    })
    ending.add(ended)
  }
  /** Ends the connections at once: statements on them fail instead of waiting for the host. */
  const abandon = (host: Host) => {
    leaveHost(host)
    for (const client of host.clients) giveUp(client)
  }
  /** Whether statements wait for a host, and it has answered none since a time. */
  const isSilentSince = ({ waiting, answeredAt }: Host, time: number): boolean => {
    const [oldest = Infinity] = waiting.values()
    return Math.max(oldest, answeredAt) < time
  }
  const hostOf = (pool: Pool): Host | undefined =>
    current?.pool === pool ? current : [...left].find((host) => host.pool === pool)

  const find = async (): Promise<Host> => {
    lookedAt = performance.now()
    try {
      const found = await findPrimary(urls, answerMs, timeline)
      void found.client.end().catch(() => {})
      timeline = Math.max(timeline, found.timeline)
      const pool = open(found.url)
      const clients = new Set<Client>()
      pool.on('connect', (client) => clients.add(client as Client))
      pool.on('remove', (client) => clients.delete(client as Client))
      const { url } = found
      current = { url, pool, clients, waiting: new Map(), answeredAt: performance.now() }
      return current
    } catch (error) {
      failure = { error, until: performance.now() + REST_MS }
      throw error
    }
  }
  const searched = (): Promise<Host> => {
    if (!search && failure && performance.now() < failure.until) throw failure.error
    // All callers wait for the same search.
    return (search ??= find().finally(() => (search = undefined)))
  }
  const acquire = async (): Promise<{ client: PoolClient; host: Host }> => {
    const known = current
    if (known) {
      try {
        return { client: await known.pool.connect(), host: known }
      } catch (error) {
        // A caller may have waited in a pool that was left meanwhile.
        if (known === current && !(error instanceof ReadOnlyError) && !isGone(error)) throw error
        leaveHost(known)
      }
    }
    const host = current ?? (await searched())
    try {
      return { client: await host.pool.connect(), host }
    } catch (error) {
      if (error instanceof ReadOnlyError || isGone(error)) leaveHost(host)
      throw error
    }
  }

  /** Looks at all hosts, and ends the connections to one that hangs or was replaced. */
  const look = async (host: Host): Promise<void> => {
    const began = performance.now()
    lookedAt = began
    try {
      const found = await findPrimary(urls, answerMs, timeline)
      void found.client.end().catch(() => {})
      timeline = Math.max(timeline, found.timeline)
      if (host === current && found.url !== host.url) abandon(host)
    } catch {
      if (host === current && isSilentSince(host, began - suspiciousMs)) abandon(host)
    }
  }
  const watch = () => {
    const now = performance.now()
    // They were left because new connections failed.
    for (const host of left) if (isSilentSince(host, now - suspiciousMs)) abandon(host)
    const host = current
    if (!host || looking) return
    const [oldest = now] = host.waiting.values()
    const isDue =
      now - lookedAt > (now - oldest > suspiciousMs ? suspiciousMs : LOOK_MS) &&
      (count === 'several' || now - oldest > suspiciousMs)
    if (isDue) looking = look(host).finally(() => (looking = undefined))
  }
  const watching = setInterval(watch, TICK_MS)
  watching.unref()

  return {
    connect: async () => (await acquire()).client,
    leave(pool) {
      if (pool === current?.pool) leaveHost(current)
    },
    sent(pool) {
      const host = hostOf(pool)
      if (!host) return () => {}
      const statement = {}
      host.waiting.set(statement, performance.now())
      return () => {
        host.waiting.delete(statement)
        host.answeredAt = performance.now()
      }
    },
    async probe() {
      const { client, host } = await acquire()
      try {
        await requireWritable(client, host.url)
      } catch (error) {
        if (error instanceof ReadOnlyError) leaveHost(host)
        throw error
      } finally {
        client.release()
      }
    },
    counts: () => current?.pool ?? { totalCount: 0, idleCount: 0, waitingCount: 0 },
    async end() {
      clearInterval(watching)
      await search?.catch(() => {})
      await looking
      // A host that was left may not answer any more.
      for (const { clients } of left) for (const client of clients) giveUp(client)
      if (current) leaveHost(current)
      await Promise.all(ending)
    },
    options: {},
  }
}
