/** Reading a database for a backup, and restoring it. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { errorCode, errorMessage } from '@steading/files'
import { type ServerConfig } from '../config.ts'
import { databasePath } from '../database.ts'
import { StartError } from '../errors.ts'
import { isBusy } from '../sqlite.ts'
import { quickCheck } from '../sqlite-check.ts'
import type { Description } from './archive.ts'

/** A database whose backup has begun: the copy has its state at that moment. */
export interface Frozen {
  kind: Description['database']
  /** Lets others write again. The state to be copied remains. */
  thaw: () => Promise<void>
  /** Copies the database into a directory. */
  copyTo: (directory: string) => Promise<void>
  close: () => Promise<void>
}

/** Names of the database copies in a backup. */
const SQLITE_COPY = 'steading.db'
const POSTGRES_COPY = 'database.dump'
/** A running write finishes sooner, unless its server hangs. */
const WAIT_MS = 10_000

/**
 * SQLite: one connection blocks the writes of others, and a second one holds the snapshot to be
 * copied.
 */
function freezeSqlite(path: string): Frozen {
  if (!existsSync(path)) {
    throw new StartError(`there is no database at ${path}; say where it is with --data`)
  }
  const writer = new DatabaseSync(path, { timeout: WAIT_MS })
  const reader = new DatabaseSync(path, { timeout: WAIT_MS })
  try {
    writer.exec('begin immediate')
    reader.exec('begin; select count(*) from sqlite_schema')
  } catch (error) {
    writer.close()
    reader.close()
    throw isBusy(error) ? new StartError('the database is busy; try again') : error
  }
  return {
    kind: 'sqlite',
    async thaw() {
      writer.close()
    },
    async copyTo(directory) {
      await backup(reader, join(directory, SQLITE_COPY))
    },
    async close() {
      if (writer.isOpen) writer.close()
      reader.close()
    },
  }
}

/**
 * Runs a PostgreSQL tool on a database. The password is passed in the environment, because other
 * users of the machine can read process arguments.
 */
function runTool(tool: string, url: string, args: readonly string[]): Promise<void> {
  const target = new URL(url)
  const env = { ...process.env }
  if (target.password) env.PGPASSWORD = decodeURIComponent(target.password)
  target.password = ''
  const child = spawn(tool, [...args, `--dbname=${target.href}`], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let problem = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (problem += text))
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(
        errorCode(error) === 'ENOENT'
          ? new StartError(`${tool} of PostgreSQL is needed, and is not installed`)
          : error,
      ),
    )
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new StartError(`${tool} failed: ${problem.trim()}`)),
    )
  })
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: WAIT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    throw new StartError(`cannot connect to the PostgreSQL database: ${errorMessage(error)}`)
  }
  return client
}

/** PostgreSQL: a lock blocks the writes of others, and the copy uses an exported snapshot. */
async function freezePostgres(url: string): Promise<Frozen> {
  const writer = await connect(url)
  const reader = await connect(url).catch(async (error) => {
    await writer.end()
    throw error
  })
  const close = async (): Promise<void> => {
    await Promise.all([writer.end(), reader.end()])
  }
  try {
    await writer.query(
      `set lock_timeout = ${WAIT_MS}; begin; lock table write_lock in exclusive mode`,
    )
    await reader.query('begin isolation level repeatable read read only')
    const { rows } = await reader.query<{ id: string }>('select pg_export_snapshot() as id')
    return {
      kind: 'postgres',
      thaw: () => writer.end(),
      copyTo: (directory) =>
        runTool('pg_dump', url, [
          '--format=custom',
          '--no-owner',
          '--no-privileges',
          '--no-comments',
          `--snapshot=${rows[0]!.id}`,
          `--file=${join(directory, POSTGRES_COPY)}`,
        ]),
      close,
    }
  } catch (error) {
    await close()
    throw new StartError(`cannot read the database: ${errorMessage(error)}`)
  }
}

/**
 * Begins the backup of the configured database. Others cannot write until it is thawed.
 * @throws StartError
 */
export const freeze = async (config: ServerConfig): Promise<Frozen> =>
  config.databaseUrl === undefined
    ? freezeSqlite(databasePath(config)!)
    : freezePostgres(config.databaseUrl)

/**
 * Refuses a database into which a backup cannot be restored, before anything is written.
 * @throws StartError if it is of another kind, or not empty
 */
export async function checkEmpty(
  { databaseUrl }: ServerConfig,
  kind: Description['database'],
): Promise<void> {
  if (kind === 'sqlite') {
    if (databaseUrl === undefined) return
    throw new StartError('the backup is of an embedded database; omit --database-url')
  }
  if (databaseUrl === undefined) {
    throw new StartError(
      'the backup is of a PostgreSQL database; set --database-url to an empty one',
    )
  }
  const client = await connect(databaseUrl)
  try {
    const { rows } = await client.query(
      `select 1 from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace limit 1`,
    )
    if (rows.length > 0) throw new StartError('the database is not empty; restore into a new one')
  } finally {
    await client.end()
  }
}

/**
 * Checks the SQLite copy in a directory. For PostgreSQL, `fill` does the checks by rebuilding
 * constraints and indexes.
 * @throws StartError if it is missing or damaged
 */
export async function checkFilled({ databaseUrl }: ServerConfig, directory: string): Promise<void> {
  const path = join(directory, databaseUrl === undefined ? SQLITE_COPY : POSTGRES_COPY)
  if (!existsSync(path)) throw new StartError('the backup has no database')
  if (databaseUrl !== undefined) return
  const [finding] = quickCheck(path)
  if (finding !== undefined) {
    throw new StartError(`the database in the backup is damaged: ${finding}`)
  }
}

/** Restores the copy in a directory into the database, all or nothing. */
export async function fill({ databaseUrl }: ServerConfig, directory: string): Promise<void> {
  if (databaseUrl === undefined) return
  const copy = join(directory, POSTGRES_COPY)
  await runTool('pg_restore', databaseUrl, [
    '--single-transaction',
    '--exit-on-error',
    '--no-owner',
    '--no-privileges',
    copy,
  ])
  await rm(copy)
}
