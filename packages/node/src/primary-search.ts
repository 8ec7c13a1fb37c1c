/** Finds the primary, which accepts writes, among the PostgreSQL hosts of a URL. */
import { Client, type ClientBase, DatabaseError, type QueryConfig } from 'pg'
import { errorMessage } from '@steading/files'
import { hostName, hostUrls } from './postgres-hosts.ts'

/** Milliseconds for a connection to one host. */
const CONNECT_MS = 10_000

/**
 * Milliseconds that a host which accepts writes waits for the answers of the others: one of them may
 * be its successor.
 */
const SUCCESSOR_MS = 250

/** A server that accepts no writes: a standby, a demoted primary, or one that is set to read only. */
export class ReadOnlyError extends Error {}

/** None of several hosts accepts writes. */
export class NoPrimaryError extends Error {}

/** A question to a server; one that hangs may still accept connections. */
const question = (text: string, answerMs: number | undefined): string | QueryConfig =>
  answerMs === undefined ? text : ({ text, query_timeout: answerMs } as QueryConfig)

/**
 * Asks on a connection whether its server accepts writes. The driver knows no
 * `target_session_attrs`.
 * @param answerMs after which the question fails; without it, as all statements of the connection
 * @throws ReadOnlyError
 */
export async function requireWritable(
  client: ClientBase,
  url: string,
  answerMs?: number,
): Promise<void> {
  const { rows } = await client.query<{ standby: boolean; read_only: string }>(
    question(
      `select pg_is_in_recovery() as standby, current_setting('transaction_read_only') as read_only`,
      answerMs,
    ),
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
 * The timeline of a primary, which is higher after each promotion of a standby; 0 for a server
 * that only speaks PostgreSQL's protocol and does not know.
 */
async function timelineOf(client: ClientBase, answerMs: number): Promise<number> {
  try {
    const { rows } = await client.query<{ timeline: string }>(
      question('select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline', answerMs),
    )
    return Number.parseInt(rows[0]!.timeline, 16)
  } catch (error) {
    if (error instanceof DatabaseError) return 0
    throw error
  }
}

/** A connection to the host that accepts writes. */
export interface Primary {
  client: Client
  /** The URL of that host alone. */
  url: string
  /** Higher after each promotion of a standby; 0 if unknown. */
  timeline: number
}

async function askHost(url: string, connectMs: number, oldest: number): Promise<Primary> {
  const client = new Client({
    connectionString: url,
    application_name: 'steading',
    connectionTimeoutMillis: connectMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await requireWritable(client, url, connectMs)
    const timeline = await timelineOf(client, connectMs)
    if (timeline < oldest) {
      throw new ReadOnlyError(
        `${hostName(url)} is a primary of timeline ${timeline}, which was replaced by one of timeline ${oldest}; restart this server if the database was made anew`,
      )
    }
    return { client, url, timeline }
  } catch (error) {
    // A standby answers; it would log a connection that breaks off.
    if (error instanceof ReadOnlyError) client.end().catch(() => {})
    else giveUp(client)
    throw error
  }
}

/** Ends a connection without waiting for its server, which may not answer. */
export function giveUp(client: ClientBase): void {
  ;(
    client as unknown as { connection: { stream: { destroy: () => void } } }
  ).connection.stream.destroy()
}

/** Connections to the hosts that accept writes, and the errors of the others. */
export const askHosts = (
  urls: readonly string[],
): Promise<{ url: string; primary?: Primary; error?: unknown }[]> =>
  Promise.all(
    urls.map((url) =>
      askHost(url, CONNECT_MS, 0).then(
        (primary) => ({ url, primary }),
        (error: unknown) => ({ url, error }),
      ),
    ),
  )

const reasonOf = (url: string, error: unknown): string =>
  error instanceof ReadOnlyError ? error.message : `${hostName(url)}: ${errorMessage(error)}`

/**
 * Asks all hosts at the same time, so that none holds up the others. While an old primary does not
 * know yet that it was replaced, two accept writes: the one of the higher timeline is chosen, and of
 * equal ones the first, so that all servers choose the same.
 * @param connectMs for each host, in milliseconds
 * @param oldest the highest timeline known so far; a primary of a lower one was replaced
 * @throws the error of a single host, or NoPrimaryError
 */
export async function findPrimary(
  urls: readonly string[],
  connectMs: number,
  oldest = 0,
): Promise<Primary> {
  const found: (Primary | undefined)[] = []
  const errors: unknown[] = []
  let isOver = false
  let first = () => {}
  const anyFound = new Promise<void>((resolve) => (first = resolve))
  const all = Promise.all(
    urls.map((url, index) =>
      askHost(url, connectMs, oldest).then(
        (primary) => {
          if (isOver) return void primary.client.end().catch(() => {})
          found[index] = primary
          first()
        },
        (error: unknown) => void (errors[index] = error),
      ),
    ),
  )
  await Promise.race([all, anyFound])
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, SUCCESSOR_MS)))
  await Promise.race([all, late])
  clearTimeout(timer)
  isOver = true
  const candidates = found.filter((primary) => primary !== undefined)
  const best = candidates.reduce<Primary | undefined>(
    (best, next) => (best && best.timeline >= next.timeline ? best : next),
    undefined,
  )
  for (const { client } of candidates) if (client !== best?.client) client.end().catch(() => {})
  if (best) return best
  if (urls.length === 1) throw errors[0]
  const reasons = urls.map((url, index) => reasonOf(url, errors[index]))
  throw new NoPrimaryError(`no host accepts writes: ${reasons.join('; ')}`, { cause: errors[0] })
}

/** A connection to the host that accepts writes, and the URL of that host alone. */
export const connectToPrimary = (databaseUrl: string): Promise<Primary> =>
  findPrimary(hostUrls(databaseUrl), CONNECT_MS)
