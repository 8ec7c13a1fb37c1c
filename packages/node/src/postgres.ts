import type { DatabaseHost, Outage } from '@steading/control-plane'
import { PostgresDialect } from 'kysely'
import { type Client, DatabaseError, Pool, type PoolClient, type QueryConfig, types } from 'pg'
import { errorCode, errorMessage } from '@steading/files'
import type { ReplicationFault } from '@steading/api/rules'
import { StartError } from './errors.ts'
import { hostUrls } from './postgres-hosts.ts'
import { createPrimaryPool } from './primary.ts'
import {
  NoPrimaryError,
  ReadOnlyError,
  requireWritable,
  versionOfServer,
} from './primary-search.ts'
import { readReplication } from './replication.ts'

/** Connections per process. By default PostgreSQL allows 100 in total. */
const MAX_CONNECTIONS = 20
const CONNECT_TIMEOUT_MS = 5_000
/** A statement of the control plane takes less, unless it hangs. */
const STATEMENT_TIMEOUT_MS = 30_000

/**
 * A PostgreSQL server that has not responded by then is gone: otherwise it would have cancelled the
 * statement.
 */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000

/** SQLSTATEs after which a retry of the transaction may succeed. */
const conflicts = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
])
const UNIQUE_VIOLATION = '23505'

/** A write met a server that accepts none: its role has changed since the connection was opened. */
const READ_ONLY = '25006'
const TOO_MANY_CONNECTIONS = '53300'

/** SQLSTATEs of a server that shuts down, starts, is demoted, or accepts no more connections. */
const unreachable = new Set([
  READ_ONLY,
  '57P01', // admin shutdown
  '57P02', // crash shutdown
  '57P03', // cannot connect now
  '57P05', // idle session timeout
  '25P03', // idle in transaction session timeout
  TOO_MANY_CONNECTIONS,
])
/** SQLSTATE class of connection errors. */
const CONNECTION_EXCEPTION = '08'
const DISK_FULL = '53100'

/** SQLSTATEs of a server that cannot read its data. */
const damaged = new Set([
  'XX001', // data corrupted
  'XX002', // index corrupted
  '58030', // I/O error
  '58P01', // a file of a table is missing
])

/** System error codes of failed or lost connections. */
const lost = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** The driver's message for a query timeout. */
const QUERY_TIMEOUT = 'Query read timeout'

/** The pool's message when all connections stay in use. */
const POOL_EXHAUSTED = 'timeout exceeded when trying to connect'

/** All messages of the driver about connections; its own errors have no codes. */
const driverMessages = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client was closed and is not queryable',
  'Client has encountered a connection error and is not queryable',
  POOL_EXHAUSTED,
  QUERY_TIMEOUT,
])

/** The outage behind an error. */
function outageOf(error: unknown): Outage | undefined {
  // Connecting to a name with several addresses fails with a list of errors, and so does work with
  // several parts.
  if (error instanceof AggregateError) return outageOf(error.errors[0])
  if (error instanceof ReadOnlyError || error instanceof NoPrimaryError) return 'unreachable'
  if (error instanceof DatabaseError) {
    const code = error.code ?? ''
    if (code === DISK_FULL) return 'full'
    if (damaged.has(code)) return 'damaged'
    return unreachable.has(code) || code.startsWith(CONNECTION_EXCEPTION)
      ? 'unreachable'
      : undefined
  }
  if (lost.has(errorCode(error) ?? '')) return 'unreachable'
  return error instanceof Error && driverMessages.has(error.message) ? 'unreachable' : undefined
}

/** Whether another host may be better: the server itself is gone, not only short of connections. */
const isGone = (error: unknown): boolean =>
  outageOf(error) === 'unreachable' &&
  errorCode(error) !== TOO_MANY_CONNECTIONS &&
  !(error instanceof Error && error.message === POOL_EXHAUSTED)

/** Maximum number of prepared statements per connection. */
const MAX_PREPARED = 250
/** Maximum number of statements whose uses are counted. */
const MAX_COUNTED = 5_000
/** Number of uses after which a statement is kept prepared, so that one-off statements are not. */
const PREPARED_AFTER = 3

/**
 * Names of the statements that the server keeps parsed and planned. Parsing and planning most
 * statements of the control plane takes longer than running them.
 */
function createStatementNames() {
  const uses = new Map<string, number>()
  const names = new Map<string, string>()
  let generation = 0
  return {
    nameOf(text: string): string | undefined {
      const name = names.get(text)
      if (name !== undefined || names.size >= MAX_PREPARED) return name
      const used = (uses.get(text) ?? 0) + 1
      if (used < PREPARED_AFTER) {
        if (uses.size >= MAX_COUNTED) uses.clear()
        uses.set(text, used)
        return undefined
      }
      uses.delete(text)
      const given = `s${generation}_${names.size}`
      names.set(text, given)
      return given
    },
    /** Renames all statements, so that they are prepared again. */
    renew() {
      generation++
      names.clear()
    },
  }
}
type StatementNames = ReturnType<typeof createStatementNames>

/**
 * Whether a prepared statement would now return other columns, because a newer version of this
 * program has changed the tables.
 */
const isOutdatedPlan = (error: unknown): boolean =>
  error instanceof DatabaseError && error.routine === 'RevalidateCachedQuery'

/**
 * Keeps the statements of a connection prepared. Closes the connection when the server does not
 * respond, because the driver would wait forever.
 * @param sent called for each statement, and what it returns at the end of the statement
 * @param demoted called when the server accepts no writes any more
 */
function prepareStatements(
  client: Client,
  names: StatementNames,
  { sent, demoted }: { sent: () => () => void; demoted: () => void },
): void {
  const plainQuery = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
  const query = (config: QueryConfig): Promise<unknown> => plainQuery(config).finally(sent())
  const send = async (config: QueryConfig): Promise<unknown> => {
    try {
      return await query(config)
    } catch (error) {
      if (error instanceof Error && error.message === QUERY_TIMEOUT) void client.end()
      if (errorCode(error) === READ_ONLY) demoted()
      if (!isOutdatedPlan(error)) throw error
      names.renew()
      // In a transaction the retry fails as well, because the first error has aborted it.
      return query({ ...config, name: undefined }).catch(() => {
        throw error
      })
    }
  }
  client.query = ((...args: unknown[]) => {
    const [text, values, callback] = args
    if (typeof text !== 'string' || typeof values === 'function' || callback) {
      return plainQuery(...args)
    }
    const parameters = values as unknown[] | undefined
    return send({
      text,
      values: parameters,
      name: parameters?.length ? names.nameOf(text) : undefined,
    })
  }) as Client['query']
}

const { INT8, NUMERIC } = types.builtins

/** Byte counts and sums become numbers, the nearest ones above 2^53; the driver would return texts. */
function typeParser(oid: number, format?: 'text' | 'binary') {
  if ((oid === INT8 || oid === NUMERIC) && format !== 'binary') return Number
  return types.getTypeParser(oid, format as 'text')
}

/** Expression for the number of checkpoints; version 17 renamed the view. */
const checkpointsOf = (major: number): string =>
  major < 17
    ? '(select checkpoints_timed + checkpoints_req from pg_stat_bgwriter)'
    : '(select num_timed + num_requested from pg_stat_checkpointer)'

/**
 * A PostgreSQL database: a single server, a cluster behind one address, or several hosts, of which
 * the one that accepts writes is followed.
 * @param queryTimeoutMs after which an unresponsive connection is closed
 * @throws StartError if the database cannot be reached
 */
export async function openPostgres(
  url: string,
  queryTimeoutMs = QUERY_TIMEOUT_MS,
): Promise<DatabaseHost> {
  const names = createStatementNames()
  const open = (hostUrl: string): Pool => {
    const made = new Pool({
      connectionString: hostUrl,
      application_name: 'steading',
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: queryTimeoutMs,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      keepAlive: true,
      types: { getTypeParser: typeParser as typeof types.getTypeParser },
      onConnect: (client) => requireWritable(client, hostUrl, CONNECT_TIMEOUT_MS),
    })
    // Without listeners, a lost connection would end the process. The pool replaces a connection
    // that was lost while idle; if it was in use, its next query fails.
    made.on('error', () => {})
    made.on('connect', (client) => {
      client.on('error', () => {})
      prepareStatements(client as Client, names, {
        sent: () => pool.sent(made),
        demoted: () => pool.leave(made),
      })
    })
    return made
  }
  const urls = hostUrls(url)
  const pool = createPrimaryPool(urls, open, isGone)
  /** The fault of replication that was found last, and since when it has been found. */
  let faultSince: { fault: ReplicationFault; at: number } | undefined
  const using = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    try {
      return await work(client)
    } finally {
      client.release()
    }
  }
  let major: number
  try {
    major = await using(versionOfServer)
    if (major < 15) throw new StartError(`PostgreSQL 15 or newer is needed; this is ${major}`)
  } catch (error) {
    await pool.end()
    if (error instanceof StartError) throw error
    throw new StartError(`cannot connect to the PostgreSQL database: ${errorMessage(error)}`, {
      cause: error,
    })
  }
  return {
    dialect: 'postgres',
    kysely: new PostgresDialect({ pool }),
    outageOf,
    probe: pool.probe,
    connections() {
      const { totalCount, idleCount, waitingCount } = pool.counts()
      return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
    },
    async replication() {
      const { fault } = await using((client) => readReplication(client, urls.length))
      if (fault?.fault !== faultSince?.fault) {
        faultSince = fault && { fault: fault.fault, at: performance.now() }
      }
      return fault && { facts: fault, forMs: performance.now() - faultSince!.at }
    },
    figures: () =>
      using(async (client) => {
        const { rows } = await client.query<{ bytes: number; checkpoints: number }>(
          `select pg_database_size(current_database()) as bytes, ${checkpointsOf(major)} as checkpoints`,
        )
        return rows[0]!
      }),
    isConflict: (error) =>
      conflicts.has(errorCode(error) ?? '') ||
      isOutdatedPlan(error) ||
      // If the work has swallowed a conflict error, the commit fails with this one.
      (error instanceof Error && error.name === 'AbortedTransactionError'),
    violatedIndex: (error) =>
      errorCode(error) === UNIQUE_VIOLATION
        ? (error as { constraint?: string }).constraint
        : undefined,
  }
}
