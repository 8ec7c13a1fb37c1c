/**
 * Databases with all tables and no rows. Migrating an empty database takes most of the time of a
 * first start, so tests of anything else begin with a copy of one of these.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databasePath, openDatabase as openHost } from '../../../node/src/database.ts'
import { defaultConfig, type ServerConfig } from '../../../node/src/config.ts'
import { createEngine } from '../../../node/src/engine.ts'
import { openDatabase } from '../../src/open-database.ts'

/** Name of the PostgreSQL database that others are copied from. */
export const MIGRATED = 'migrated'

async function migrate(config: ServerConfig): Promise<void> {
  const { engine } = await createEngine({ ...config, engine: 'simulated' })
  const database = await openDatabase(await openHost(config), engine)
  await database.close()
}

async function migratedBytes(): Promise<Buffer> {
  const data = await mkdtemp(join(tmpdir(), 'steading-migrated-'))
  try {
    const config = { ...defaultConfig(), data }
    await migrate(config)
    return await readFile(databasePath(config)!)
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

let bytes: Promise<Buffer> | undefined

/** Puts a migrated SQLite database into an empty data directory. The process migrates only once. */
export async function addMigratedSqlite(data: string): Promise<void> {
  bytes ??= migratedBytes()
  await writeFile(databasePath({ ...defaultConfig(), data })!, await bytes, { mode: 0o600 })
}

/** Migrates the PostgreSQL database at a URL. */
export const migratePostgres = (databaseUrl: string): Promise<void> =>
  migrate({ ...defaultConfig(), databaseUrl })
