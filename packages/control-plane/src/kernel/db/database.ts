import { type Dialect as KyselyDialect, Kysely, type Transaction } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { up as foundation } from '../../migrations/0001-foundation.ts'
import { up as affinity } from '../../migrations/0002-affinity.ts'
import { up as storage } from '../../migrations/0003-storage.ts'
import { up as lists } from '../../migrations/0004-lists.ts'
import { up as jobs } from '../../migrations/0005-jobs.ts'
import { up as deletion } from '../../migrations/0006-deletion.ts'
import { up as moreLists } from '../../migrations/0007-more-lists.ts'
import { up as jobNeeds } from '../../migrations/0012-job-needs.ts'
import type { Database } from './schema.ts'

export type Dialect = 'sqlite' | 'postgres'
/** The database, or a transaction on it. */
export type Db = Kysely<Database>
export type Tx = Transaction<Database>

/** What a host brings: how to reach a database, and how to tell its errors apart. */
export interface DatabaseHost {
  dialect: Dialect
  kysely: KyselyDialect
  /** A transaction lost against another one and may be tried again. */
  isConflict: (error: unknown) => boolean
}

export interface OpenDatabase {
  db: Db
  /**
   * Runs work in one serializable transaction; tries again when it lost against another.
   * @throws ContentionError if it lost too often
   */
  transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** A transaction lost against another one and may be tried again. */
  isConflict: (error: unknown) => boolean
  close: () => Promise<void>
}

const migrations = (dialect: Dialect): Record<string, Migration> => ({
  '0001-foundation': { up: (db) => foundation(db, dialect) },
  '0002-affinity': { up: (db) => affinity(db, dialect) },
  '0003-storage': { up: (db) => storage(db, dialect) },
  '0004-lists': { up: lists },
  '0005-jobs': { up: (db) => jobs(db, dialect) },
  '0006-deletion': { up: deletion },
  '0007-more-lists': { up: moreLists },
  '0012-job-needs': { up: jobNeeds },
})

const MAX_ATTEMPTS = 40

/** A transaction lost against others until there was no point in trying again. */
export class ContentionError extends Error {}

/** Opens a database and brings its tables up to date, under a lock. */
export async function openDatabase(host: DatabaseHost): Promise<OpenDatabase> {
  const db = new Kysely<Database>({ dialect: host.kysely })
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations(host.dialect) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error

  const transaction = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        const begin = db.transaction()
        return await (
          host.dialect === 'postgres' ? begin.setIsolationLevel('serializable') : begin
        ).execute(work)
      } catch (error) {
        if (!host.isConflict(error)) throw error
        if (attempt >= MAX_ATTEMPTS) {
          throw new ContentionError(`lost ${attempt} times against other transactions`, {
            cause: error,
          })
        }
        // Spread the contenders out, so that one of them gets through.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * attempt))
      }
    }
  }
  return { db, transaction, isConflict: host.isConflict, close: () => db.destroy() }
}
