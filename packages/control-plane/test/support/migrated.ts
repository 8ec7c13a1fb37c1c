/**
 * Databases with all tables and no rows. Migrating an empty database takes most of the time of a
 * first start, so tests of anything else begin with a copy of one of these.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databasePath, openDatabase as openHost } from '../../../node/src/database.ts'
import { defaultConfig } from '../../../node/src/config.ts'
import { createEngine } from '../../../node/src/engine.ts'
import { openSqlite } from '../../../node/src/sqlite.ts'
import type { OpenDatabase } from '../../src/kernel/db/database.ts'
import type { Engine } from '../../src/kernel/ports/engines.ts'
import { openDatabase } from '../../src/open-database.ts'

/** Name of the PostgreSQL database that others are copied from. */
export const MIGRATED = 'migrated'

type Tables = Pick<Engine, 'parts'>

const simulated = async (): Promise<Tables> =>
  (await createEngine({ ...defaultConfig(), engine: 'simulated' })).engine

const sqliteIn = (data: string): string => databasePath({ ...defaultConfig(), data })!

async function migratedBytes(tables: Tables): Promise<Buffer> {
  const data = await mkdtemp(join(tmpdir(), 'steading-migrated-'))
  try {
    await (await openDatabase(openSqlite(sqliteIn(data)), tables)).close()
    return await readFile(sqliteIn(data))
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

/** Parts of the engine → a database with their tables. */
const copies = new Map<string, Promise<Buffer>>()

/**
 * Puts a migrated SQLite database into an empty data directory. The process migrates only once.
 * @param tables the engine with tables in the database; the simulated one by default
 */
export async function addMigratedSqlite(data: string, tables?: Tables): Promise<void> {
  const engine = tables ?? (await simulated())
  const parts = engine.parts.map(({ name, ports }) => [name, ...ports].join(' ')).join(', ')
  const copy = copies.get(parts) ?? migratedBytes(engine)
  copies.set(parts, copy)
  await writeFile(sqliteIn(data), await copy, { mode: 0o600 })
}

/** A migrated SQLite database in a directory of its own, which goes when it is closed. */
export async function openMigrated(): Promise<OpenDatabase> {
  const data = await mkdtemp(join(tmpdir(), 'steading-migrated-'))
  await addMigratedSqlite(data)
  const host = openSqlite(sqliteIn(data), { volatile: true })
  const database = await openDatabase(host, await simulated())
  return {
    ...database,
    async close() {
      await database.close()
      await rm(data, { recursive: true, force: true })
    },
  }
}

/** Migrates the PostgreSQL database at a URL. */
export async function migratePostgres(databaseUrl: string): Promise<void> {
  const host = await openHost({ ...defaultConfig(), databaseUrl })
  await (await openDatabase(host, await simulated())).close()
}
