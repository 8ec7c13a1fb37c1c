import type { DatabaseHost } from '@steading/control-plane'
import { PostgresDialect } from 'kysely'
import { Pool, types } from 'pg'
import { errorCode, errorMessage, StartError } from './errors.ts'
import type { Log } from './log.ts'

/** Connections of one process. PostgreSQL allows 100 in all by default. */
const MAX_CONNECTIONS = 20
const CONNECT_TIMEOUT_MS = 5_000
/** No statement of ours takes long; one that does is stuck. */
const STATEMENT_TIMEOUT_MS = 30_000

/** SQLSTATEs after which the same transaction may succeed. */
const conflicts = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
])
const UNIQUE_VIOLATION = '23505'

const { INT8, NUMERIC } = types.builtins

/** Byte counts and sums fit in a number (2^53); as text they would have to be parsed everywhere. */
function typeParser(oid: number, format?: 'text' | 'binary') {
  if ((oid === INT8 || oid === NUMERIC) && format !== 'binary') return Number
  return types.getTypeParser(oid, format as 'text')
}

/**
 * A PostgreSQL database, alone or a cluster behind one connection string.
 * @param log told about connections that break while nobody uses them
 * @throws StartError if there is no way to connect
 */
export async function openPostgres(url: string, log: Log): Promise<DatabaseHost> {
  let pool: Pool
  try {
    pool = new Pool({
      connectionString: url,
      application_name: 'steading',
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      keepAlive: true,
      types: { getTypeParser: typeParser as typeof types.getTypeParser },
    })
  } catch (error) {
    throw new StartError(`cannot use the database URL: ${errorMessage(error)}`)
  }
  // Without a listener a connection lost while idle would end the process. The pool replaces it.
  pool.on('error', (error) => log('lost an idle database connection', errorMessage(error)))
  try {
    const { rows } = await pool.query<{ version: string }>(
      `select current_setting('server_version_num') as version`,
    )
    const major = Math.floor(Number(rows[0]?.version) / 10_000)
    if (major < 15) throw new StartError(`PostgreSQL 15 or newer is needed; this is ${major}`)
  } catch (error) {
    await pool.end()
    if (error instanceof StartError) throw error
    throw new StartError(`cannot connect to the PostgreSQL database: ${errorMessage(error)}`)
  }
  return {
    dialect: 'postgres',
    kysely: new PostgresDialect({ pool }),
    isConflict: (error) =>
      conflicts.has(errorCode(error) ?? '') ||
      // A conflict that the work itself swallowed shows when the commit turns into a rollback.
      (error instanceof Error && error.name === 'AbortedTransactionError'),
    violatedIndex: (error) =>
      errorCode(error) === UNIQUE_VIOLATION
        ? (error as { constraint?: string }).constraint
        : undefined,
  }
}
