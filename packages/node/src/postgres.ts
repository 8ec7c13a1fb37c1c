import type { DatabaseHost, Outage } from '@steading/control-plane'
import { PostgresDialect } from 'kysely'
import { type Client, DatabaseError, Pool, types } from 'pg'
import { errorCode, errorMessage, StartError } from './errors.ts'

/** Connections of one process. By default PostgreSQL allows 100 in total. */
const MAX_CONNECTIONS = 20
const CONNECT_TIMEOUT_MS = 5_000
/** No statement of the control plane takes that long unless it hangs. */
const STATEMENT_TIMEOUT_MS = 30_000

/**
 * A PostgreSQL server that has not answered by then is gone: otherwise it would have cancelled the
 * statement.
 */
const QUERY_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000

/** SQLSTATEs after which the same transaction may succeed. */
const conflicts = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
])
const UNIQUE_VIOLATION = '23505'

/** SQLSTATEs of a server that shuts down, starts, or accepts no more connections. */
const unreachable = new Set([
  '57P01', // admin shutdown
  '57P02', // crash shutdown
  '57P03', // cannot connect now
  '57P05', // idle session timeout
  '25P03', // idle in transaction session timeout
  '53300', // too many connections
])
/** The class of SQLSTATEs of connections. */
const CONNECTION_EXCEPTION = '08'
const DISK_FULL = '53100'

/** Error codes of the operating system for a connection that failed or was lost. */
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

/** The message of the driver for a query that was not answered in time. */
const QUERY_TIMEOUT = 'Query read timeout'

/** The driver's own errors have no codes; these are all its messages about connections. */
const driverMessages = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client was closed and is not queryable',
  'Client has encountered a connection error and is not queryable',
  'timeout exceeded when trying to connect',
  QUERY_TIMEOUT,
])

/** The outage that an error means: the database cannot be reached, or its disk is full. */
function outageOf(error: unknown): Outage | undefined {
  if (error instanceof DatabaseError) {
    const code = error.code ?? ''
    if (code === DISK_FULL) return 'full'
    return unreachable.has(code) || code.startsWith(CONNECTION_EXCEPTION)
      ? 'unreachable'
      : undefined
  }
  // Connecting to a name with several addresses fails with a list of errors.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (lost.has(errorCode(first) ?? '')) return 'unreachable'
  return error instanceof Error && driverMessages.has(error.message) ? 'unreachable' : undefined
}

/** Closes a connection when the server does not answer, because the driver would wait for ever. */
function giveUpWhenStuck(client: Client): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((...args: unknown[]) => {
    const result = query(...args)
    if (result instanceof Promise) {
      result.catch((error: unknown) => {
        if (error instanceof Error && error.message === QUERY_TIMEOUT) void client.end()
      })
    }
    return result
  }) as Client['query']
}

const { INT8, NUMERIC } = types.builtins

/** Byte counts and sums fit in a number (2^53); the driver would return them as text. */
function typeParser(oid: number, format?: 'text' | 'binary') {
  if ((oid === INT8 || oid === NUMERIC) && format !== 'binary') return Number
  return types.getTypeParser(oid, format as 'text')
}

/**
 * A PostgreSQL database, alone or a cluster behind one connection string.
 * @param queryTimeoutMs after which a connection that does not answer is closed
 * @throws StartError if the database cannot be reached
 */
export async function openPostgres(
  url: string,
  queryTimeoutMs = QUERY_TIMEOUT_MS,
): Promise<DatabaseHost> {
  let pool: Pool
  try {
    pool = new Pool({
      connectionString: url,
      application_name: 'steading',
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: queryTimeoutMs,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      keepAlive: true,
      types: { getTypeParser: typeParser as typeof types.getTypeParser },
    })
  } catch (error) {
    throw new StartError(`cannot use the database URL: ${errorMessage(error)}`)
  }
  // Without listeners, a lost connection would end the process. The pool replaces a connection that
  // was lost while idle; if it was in use, its next query fails.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    giveUpWhenStuck(client as Client)
  })
  try {
    const { rows } = await pool.query<{ version: string }>(
      `select current_setting('server_version_num') as version`,
    )
    const major = Math.floor(Number(rows[0]?.version) / 10_000)
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
    isConflict: (error) =>
      conflicts.has(errorCode(error) ?? '') ||
      // If the work has caught the error of a conflict, the commit fails with this error.
      (error instanceof Error && error.name === 'AbortedTransactionError'),
    violatedIndex: (error) =>
      errorCode(error) === UNIQUE_VIOLATION
        ? (error as { constraint?: string }).constraint
        : undefined,
  }
}
