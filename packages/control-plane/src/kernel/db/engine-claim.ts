/** A database belongs to the engine with which it was made: it has that engine's tables. */
import { Kysely, sql } from 'kysely'
import type { DatabaseHost, Db, Dialect, OpenDatabase } from './database.ts'
import type { Database } from './schema.ts'
import { claimSetting, readSetting } from './setting.ts'

const KEY = 'engine'
/** Databases of versions with one engine do not name it. */
const UNNAMED = 'simulated'

/** The database belongs to another engine. */
export class OtherEngineError extends Error {
  readonly owner: string

  constructor(owner: string) {
    super(`the database belongs to the engine "${owner}"`)
    this.owner = owner
  }
}

const hasSettings = async (db: Db, dialect: Dialect): Promise<boolean> => {
  const found =
    dialect === 'postgres'
      ? sql<{ found: unknown }>`select to_regclass('setting') as found`
      : sql<{ found: unknown }>`select name as found from sqlite_schema where name = 'setting'`
  const { rows } = await found.execute(db)
  return rows.some((row) => row.found !== null)
}

/** The engine to which a database belongs; undefined for a new one. */
export async function engineOf(db: Db, dialect: Dialect): Promise<string | undefined> {
  if (!(await hasSettings(db, dialect))) return undefined
  return (await readSetting(db, KEY)) ?? UNNAMED
}

/** The engine to which a database belongs, before it is opened; undefined for a new one. */
export const ownerOf = ({ kysely, dialect }: DatabaseHost): Promise<string | undefined> =>
  // Not destroyed, because that would close the connection of the host.
  engineOf(new Kysely<Database>({ dialect: kysely }), dialect)

/**
 * Refuses a database of another engine, before its tables are changed.
 * @throws OtherEngineError
 */
export async function refuseOtherEngine(
  { kysely, dialect }: DatabaseHost,
  name: string,
): Promise<void> {
  const db = new Kysely<Database>({ dialect: kysely })
  try {
    const owner = await engineOf(db, dialect)
    if (owner !== undefined && owner !== name) throw new OtherEngineError(owner)
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/**
 * Records the engine of a database.
 * @throws OtherEngineError if another server has just recorded another one
 */
export async function claimForEngine(
  { db, close }: Pick<OpenDatabase, 'db' | 'close'>,
  name: string,
): Promise<void> {
  const value = await claimSetting(db, KEY, name)
  if (value === name) return
  await close()
  throw new OtherEngineError(value)
}
