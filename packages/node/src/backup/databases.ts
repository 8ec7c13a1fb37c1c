/** Reading a database for a backup, and restoring it. */
import { createReadStream, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { type Client, DatabaseError } from 'pg'
import { errorMessage } from '@steading/files'
import { type ServerConfig } from '../config.ts'
import { databasePath } from '../database.ts'
import { StartError } from '../errors.ts'
import { connectToPrimary, versionOfServer } from '../primary-search.ts'
import { isBusy } from '../sqlite.ts'
import { quickCheck } from '../sqlite-check.ts'
import type { Description } from './archive.ts'
import { newerTools, runTool, startTool, versionOfTool } from './postgres-tools.ts'
import { DumpError, executeDump } from './sql.ts'

/** A database whose backup has begun: the copy has its state at that moment. */
export interface Frozen {
  kind: Description['database']
  /** A remark for the operator about the copy. */
  remark?: string
  /** Lets others write again. The state to be copied remains. */
  thaw: () => Promise<void>
  /** Copies the database into a directory. */
  copyTo: (directory: string) => Promise<void>
  close: () => Promise<void>
}

/** Names of the database copies in a backup. */
const SQLITE_COPY = 'steading.db'
const POSTGRES_COPY = 'database.sql'
/** An archive of pg_dump, which earlier versions wrote. */
const POSTGRES_ARCHIVE = 'database.dump'
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
 * Connects to the host of a database that accepts writes.
 * @returns the connection, and the URL of that host
 */
async function connect(databaseUrl: string): Promise<{ client: Client; url: string }> {
  try {
    return await connectToPrimary(databaseUrl)
  } catch (error) {
    throw new StartError(`cannot connect to the PostgreSQL database: ${errorMessage(error)}`)
  }
}

/** PostgreSQL: a lock blocks the writes of others, and the copy uses an exported snapshot. */
async function freezePostgres(databaseUrl: string): Promise<Frozen> {
  const tool = await versionOfTool('pg_dump')
  const { client: writer, url } = await connect(databaseUrl)
  // The snapshot belongs to this host.
  const { client: reader } = await connect(url).catch(async (error) => {
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
    const remark = newerTools(tool, await versionOfServer(reader))
    return {
      kind: 'postgres',
      remark,
      thaw: () => writer.end(),
      copyTo: (directory) =>
        runTool(
          'pg_dump',
          [
            // Archives are read by tools of the same or a newer version only.
            '--format=plain',
            '--no-owner',
            '--no-privileges',
            '--no-comments',
            `--snapshot=${rows[0]!.id}`,
            `--file=${join(directory, POSTGRES_COPY)}`,
          ],
          url,
        ),
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
  const { client } = await connect(databaseUrl)
  try {
    const { rows } = await client.query(
      `select 1 from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace limit 1`,
    )
    if (rows.length > 0) throw new StartError('the database is not empty; restore into a new one')
  } finally {
    await client.end()
  }
}

/** The copy of a PostgreSQL database in a directory; undefined if there is none. */
const postgresCopyIn = (directory: string): string | undefined =>
  [POSTGRES_COPY, POSTGRES_ARCHIVE].map((name) => join(directory, name)).find(existsSync)

/**
 * Checks the SQLite copy in a directory. For PostgreSQL, `fill` does the checks by rebuilding
 * constraints and indexes.
 * @throws StartError if it is missing or damaged
 */
export async function checkFilled({ databaseUrl }: ServerConfig, directory: string): Promise<void> {
  const missing = new StartError('the backup has no database')
  if (databaseUrl !== undefined) {
    if (postgresCopyIn(directory) === undefined) throw missing
    return
  }
  const path = join(directory, SQLITE_COPY)
  if (!existsSync(path)) throw missing
  const [finding] = quickCheck(path)
  if (finding !== undefined) {
    throw new StartError(`the database in the backup is damaged: ${finding}`)
  }
}

/** The statements of a copy, and the end of the program that reads it. */
function statementsOf(copy: string): Pick<ReturnType<typeof startTool>, 'output' | 'ended'> {
  return copy.endsWith(POSTGRES_ARCHIVE)
    ? startTool('pg_restore', ['--file=-', '--no-owner', '--no-privileges', copy])
    : { output: createReadStream(copy), ended: Promise.resolve() }
}

/** Whether an error is about the statements of a copy. */
const isOfStatements = (error: unknown): boolean =>
  error instanceof DumpError || error instanceof DatabaseError

/** Restores the copy in a directory into the database, all or nothing. */
export async function fill({ databaseUrl }: ServerConfig, directory: string): Promise<void> {
  if (databaseUrl === undefined) return
  const copy = postgresCopyIn(directory)!
  const { client } = await connect(databaseUrl)
  try {
    await client.query('begin')
    const { output, ended } = statementsOf(copy)
    await executeDump(client, output).catch(async (error: unknown) => {
      // If the text ended early, the error of the program says why. Otherwise it still waits to write.
      if (!isOfStatements(error)) await ended
      throw error
    })
    await ended
    await client.query('commit')
  } catch (error) {
    if (error instanceof StartError) throw error
    throw isOfStatements(error)
      ? new StartError(`the database cannot be restored: ${errorMessage(error)}`)
      : error
  } finally {
    // Without a commit, the database stays empty.
    await client.end()
  }
  await rm(copy)
}
