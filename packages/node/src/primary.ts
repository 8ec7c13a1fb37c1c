/** The primary, which accepts writes, among the PostgreSQL hosts of a URL, and connections to it. */
import { Client, type ClientBase, type Pool, type PoolClient } from 'pg'
import { errorMessage } from '@steading/files'
import { hostName, hostUrls } from './postgres-hosts.ts'

/** Milliseconds for a connection to one host. */
const CONNECT_MS = 10_000

/** A server that accepts no writes: a standby, a demoted primary, or one that is set to read only. */
export class ReadOnlyError extends Error {}

/** None of several hosts accepts writes. */
export class NoPrimaryError extends Error {}

/**
 * Asks on a connection whether its server accepts writes. The driver knows no
 * `target_session_attrs`.
 * @throws ReadOnlyError
 */
export async function requireWritable(client: ClientBase, url: string): Promise<void> {
  const { rows } = await client.query<{ standby: boolean; read_only: string }>(
    `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') as read_only`,
  )
  const { standby, read_only } = rows[0]!
  if (standby) throw new ReadOnlyError(`${hostName(url)} is a standby, which accepts no writes`)
  if (read_only !== 'off') throw new ReadOnlyError(`${hostName(url)} accepts no writes now`)
}

/** The major version of a server. */
export async function versionOfServer(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version_num') as version`,
  )
  return Math.floor(Number(rows[0]!.version) / 10_000)
}

/**
 * Tries the hosts in their order, so that all servers of a database choose the same one.
 * @throws the error of a single host, or NoPrimaryError
 */
async function firstWritable<T>(
  urls: readonly string[],
  open: (url: string) => Promise<T>,
): Promise<T> {
  const failures: { url: string; error: unknown }[] = []
  for (const url of urls) {
    try {
      return await open(url)
    } catch (error) {
      failures.push({ url, error })
    }
  }
  if (failures.length === 1) throw failures[0]!.error
  const reasons = failures.map(({ url, error }) =>
    error instanceof ReadOnlyError ? error.message : `${hostName(url)}: ${errorMessage(error)}`,
  )
  throw new NoPrimaryError(`no host accepts writes: ${reasons.join('; ')}`, {
    cause: failures[0]!.error,
  })
}

/** A connection to the host that accepts writes, and the URL of that host alone. */
export async function connectToPrimary(
  databaseUrl: string,
): Promise<{ client: Client; url: string }> {
  return firstWritable(hostUrls(databaseUrl), async (url) => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS })
    client.on('error', () => {})
    try {
      await client.connect()
      await requireWritable(client, url)
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    return { client, url }
  })
}

/** Connections to the host that accepts writes; after it fails or is demoted, to the next one. */
export interface PrimaryPool {
  connect: () => Promise<PoolClient>
  /** Ends all connections to a pool whose server is not the primary any more. */
  leave: (pool: Pool) => void
  /** Fails while no host accepts writes. */
  probe: () => Promise<void>
  /** The present connections. */
  counts: () => Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>
  end: () => Promise<void>
  /** Kysely requires them, and uses none. */
  options: object
}

/** The host that accepts writes, and its connections. */
interface Primary {
  url: string
  pool: Pool
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
  /** The primary in use, and the search for the next one. */
  let current: Primary | undefined
  let search: Promise<Primary> | undefined
  const ending = new Set<Promise<void>>()

  const close = (pool: Pool) => {
    const ended: Promise<void> = pool.end().finally(() => ending.delete(ended))
    ending.add(ended)
  }
  const leave = (pool: Pool) => {
    if (pool !== current?.pool) return
    current = undefined
    close(pool)
  }
  const find = () =>
    firstWritable(urls, async (url) => {
      const pool = open(url)
      try {
        const client = await pool.connect()
        client.release()
      } catch (error) {
        close(pool)
        throw error
      }
      return (current = { url, pool })
    })
  const acquire = async (): Promise<{ client: PoolClient; primary: Primary }> => {
    const known = current
    if (known) {
      try {
        return { client: await known.pool.connect(), primary: known }
      } catch (error) {
        // A caller may have waited in a pool that was left meanwhile.
        if (known === current && !(error instanceof ReadOnlyError) && !isGone(error)) throw error
        leave(known.pool)
      }
    }
    // All callers wait for the same search.
    const primary = current ?? (await (search ??= find().finally(() => (search = undefined))))
    return { client: await primary.pool.connect(), primary }
  }
  return {
    connect: async () => (await acquire()).client,
    leave,
    async probe() {
      const { client, primary } = await acquire()
      try {
        await requireWritable(client, primary.url)
      } catch (error) {
        if (error instanceof ReadOnlyError) leave(primary.pool)
        throw error
      } finally {
        client.release()
      }
    },
    counts: () => current?.pool ?? { totalCount: 0, idleCount: 0, waitingCount: 0 },
    async end() {
      await search?.catch(() => {})
      if (current) leave(current.pool)
      await Promise.all(ending)
    },
    options: {},
  }
}
