import {
  type CompiledQuery,
  type Dialect as KyselyDialect,
  Kysely,
  sql,
  type Transaction,
} from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { ApiError } from '../errors.ts'
import { nameTaken } from './names.ts'
import type { Database } from './schema.ts'

export type Dialect = 'sqlite' | 'postgres'
/** The database, or a transaction on it. */
export type Db = Kysely<Database>
export type Tx = Transaction<Database>
/** Name → change of the tables. */
export type Migrations = Record<string, Migration>

/** What can be wrong with a database for a while: it cannot be reached, or its disk is full. */
export type Outage = 'unreachable' | 'full'

/** What a host brings: how to reach a database, and how to tell its errors apart. */
export interface DatabaseHost {
  dialect: Dialect
  kysely: KyselyDialect
  /** A transaction lost against another one and may be tried again. */
  isConflict: (error: unknown) => boolean
  /** The unique index that refused a row; undefined for every other error. */
  violatedIndex: (error: unknown) => string | undefined
  /** Which outage an error comes from, if it comes from one. */
  outageOf?: (error: unknown) => Outage | undefined
}

type RunTransaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/**
 * Transactions try again when they lost against another one.
 * @throws ApiError 400 if a name was taken
 * @throws ContentionError if it lost too often
 */
export interface OpenDatabase {
  db: Db
  dialect: Dialect
  /** Other processes may be at work on it. */
  shared: boolean
  /**
   * Runs work in a transaction that no other one runs beside, in this process or another, so that
   * what it has read stays true until it commits.
   */
  transaction: RunTransaction
  /**
   * Runs work in a transaction that others of this kind run beside, and none of the other kind. On
   * PostgreSQL it sees what those commit meanwhile. Whatever it decides must therefore hold by one
   * of its statements alone: a unique index, an update that says what must (still) be so, a sum
   * that the database adds up. A row that all of them write, as the quota of a silo, is written
   * last, because the others wait for it until the commit.
   */
  concurrently: RunTransaction
  /** The transaction lost against another one, and the work must be done again from its start. */
  isConflict: (error: unknown) => boolean
  /** The refusal of the contract that an error of a statement stands for, if it is one. */
  refusalOf: (error: unknown) => ApiError | undefined
  close: () => Promise<void>
}

const MAX_ATTEMPTS = 40

/** A transaction lost against others until there was no point in trying again. */
export class ContentionError extends Error {}

/** How long a transaction may wait for its turn, in milliseconds: as when the database is stuck. */
const QUEUE_LIMIT_MS = 15_000

/** One after the other, in the order they come. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const came = performance.now()
    const turn = last.then(() => {
      const waited = performance.now() - came
      if (waited < QUEUE_LIMIT_MS) return work()
      throw new ContentionError(`waited ${Math.round(waited)} ms for other transactions`)
    })
    last = turn.catch(() => {})
    return turn
  }
}

/**
 * How the two kinds of transactions run on PostgreSQL. The lock is taken before the first snapshot,
 * so a transaction that had to wait sees everything that the one before has committed. SQLite needs
 * none of this: it has one writer.
 */
const postgresKinds = {
  alone: { isolation: 'repeatable read', lock: sql`lock table write_lock in exclusive mode` },
  concurrent: { isolation: 'read committed', lock: sql`lock table write_lock in share mode` },
} as const
type Kind = keyof typeof postgresKinds

/** The tables were made by a newer version of this program. */
export class NewerSchemaError extends Error {}

/** Names of migrations that a database has had and this version does not know. */
async function unknownMigrations(db: Db, known: object): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name).filter((name) => !(name in known))
}

/**
 * Opens a database and brings its tables up to date, under a lock.
 * @param known all changes of tables, carried out in the order of their names
 * @throws NewerSchemaError
 */
export async function openDatabase(host: DatabaseHost, known: Migrations): Promise<OpenDatabase> {
  /** Error of a statement → the statement. */
  const failed = new WeakMap<object, CompiledQuery>()
  const db = new Kysely<Database>({
    dialect: host.kysely,
    log(event) {
      if (event.level !== 'error') return
      if (typeof event.error === 'object' && event.error) failed.set(event.error, event.query)
    },
  })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known } })
  const { error } = await migrator.migrateToLatest()
  if (error) {
    const [newer] = await unknownMigrations(db, known).catch(() => [])
    await db.destroy()
    if (newer) throw new NewerSchemaError(`it has the change "${newer}"`, { cause: error })
    throw error
  }

  const refusalOf = (error: unknown): ApiError | undefined => {
    const index = host.violatedIndex(error)
    const statement = index === undefined ? undefined : failed.get(error as object)
    return statement && nameTaken(index!, statement)
  }
  /** A key that is no name is chosen by the work, and chosen again when that is done again. */
  const isConflict = (error: unknown): boolean =>
    host.isConflict(error) || (host.violatedIndex(error) !== undefined && !refusalOf(error))

  // Those that wait for each other anyway do so here, where they hold no connection.
  const queue = createQueue()
  const once = <T>(kind: Kind, work: (tx: Tx) => Promise<T>): Promise<T> => {
    if (host.dialect === 'sqlite') return db.transaction().execute(work)
    const { isolation, lock } = postgresKinds[kind]
    const run = () =>
      db
        .transaction()
        .setIsolationLevel(isolation)
        .execute(async (tx) => {
          await lock.execute(tx)
          return work(tx)
        })
    return kind === 'alone' ? queue(run) : run()
  }

  const transaction = async <T>(kind: Kind, work: (tx: Tx) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(kind, work)
      } catch (error) {
        if (!isConflict(error)) throw refusalOf(error) ?? error
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
  const { dialect } = host
  // A second process on the same SQLite database is refused by the lock of its data directory.
  const shared = dialect === 'postgres'
  return {
    db,
    dialect,
    shared,
    transaction: (work) => transaction('alone', work),
    concurrently: (work) => transaction('concurrent', work),
    isConflict,
    refusalOf,
    close: () => db.destroy(),
  }
}
