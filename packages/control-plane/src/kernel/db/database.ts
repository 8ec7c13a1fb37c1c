import type { ReplicationFacts } from '@steading/api/rules'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect as KyselyDialect,
  Kysely,
  type SelectQueryBuilder,
  type Transaction,
} from 'kysely'
import { Migrator } from 'kysely/migration'
import type { ApiError } from '../errors.ts'
import type { Instrumentation } from '../instrumentation.ts'
import { appliedOf, OlderSchemaError, recordBaseline, recordedMigrations } from './baseline.ts'
import { nameTaken } from './names.ts'
import type { Database } from './schema.ts'
import { createWatches, type Watches } from './watches.ts'

export type Dialect = 'sqlite' | 'postgres'
/** The database, or a transaction on it. */
export type Db = Kysely<Database>
export type Tx = Transaction<Database>
/** Ids, or a query of them. */
export type Ids = readonly string[] | SelectQueryBuilder<Database, 'silo_user', { id: string }>
/** Changes the tables, or what is in them, on either database. */
export type Migration = (db: Kysely<unknown>, dialect: Dialect) => Promise<void>
/**
 * Name under which a database records a migration → the migration. They run in the order of the
 * names.
 */
export type Migrations = Readonly<Record<string, Migration>>

/**
 * A fault of a database: it cannot be reached, its disk is full, or its stored data cannot be read.
 */
export const outageKinds = ['unreachable', 'full', 'damaged'] as const
export type Outage = (typeof outageKinds)[number]

/** Metrics of a database that its host can read. */
export interface DatabaseFigures {
  bytes: number
  /** Size of the write-ahead log, if it is a file of its own. */
  logBytes?: number
  /** Number of checkpoints so far, if known. */
  checkpoints?: number
}

/** The database as a host provides it: a connection, and a classification of its errors. */
export interface DatabaseHost {
  dialect: Dialect
  kysely: KyselyDialect
  /** Whether a transaction failed only because of another one, and may be tried again. */
  isConflict: (error: unknown) => boolean
  /** The unique index that refused a row; undefined for every other error. */
  violatedIndex: (error: unknown) => string | undefined
  /**
   * A value that changes with every write by any process, even before it is committed. Missing
   * where reading it takes a call to another process.
   */
  written?: () => string
  /** The outage that an error comes from; undefined for other errors. */
  outageOf?: (error: unknown) => Outage | undefined
  /**
   * Fails while the database accepts no writes, such as a primary that was demoted. Missing where
   * every read fails then.
   */
  probe?: () => Promise<void>
  /**
   * Reads the whole database, while other work goes on.
   * @returns the damage in the words of the database; empty if there is none
   */
  check?: (signal: AbortSignal) => Promise<string[]>
  figures?: () => Promise<DatabaseFigures>
  /**
   * Whether a failover can lose acknowledged writes. Missing where there is none.
   * @returns undefined if it cannot
   */
  replication?: () => Promise<{ facts: ReplicationFacts; forMs: number } | undefined>
  /** Number of connections in each state; missing where there is no pool. */
  connections?: () => Record<'used' | 'idle' | 'waiting', number>
}

type RunTransaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/**
 * A database that is up to date. Transactions that conflict with another one are tried again.
 * @throws ApiError 400 if a name was taken
 * @throws ContentionError if it conflicted too often
 */
export interface OpenDatabase extends Pick<
  DatabaseHost,
  'dialect' | 'written' | 'figures' | 'connections' | 'replication'
> {
  db: Db
  /** Fails while the database cannot be used. */
  probe: () => Promise<unknown>
  /** Whether other processes may use the database at the same time. */
  shared: boolean
  /** Whether it has indexes for substring search. */
  findsText: boolean
  /**
   * Runs work in a transaction that runs alone: no other transaction runs at the same time, in this
   * process or another, so what it has read stays true until it commits.
   */
  transaction: RunTransaction
  /**
   * Runs work in a transaction that runs at the same time as others of this kind, and never beside
   * one of `transaction`. On PostgreSQL it sees what the others commit meanwhile. Each of its
   * decisions must therefore be made by a single statement: a unique index, an update with a
   * condition, a sum that the database computes. A row that all of these transactions write, such
   * as the quota of a silo, is written last, because the others wait for its lock until the commit.
   */
  concurrently: RunTransaction
  /** Runs reads that all see the rows of one moment. */
  snapshot: RunTransaction
  /**
   * Calls a function when this process may have written some columns: after the statement, and
   * after the end of its transaction.
   */
  watch: Watches['watch']
  /** Whether the transaction conflicted with another one, so that its work must be repeated. */
  isConflict: (error: unknown) => boolean
  /** The error of the contract that an error of a statement means; undefined for other errors. */
  refusalOf: (error: unknown) => ApiError | undefined
  close: () => Promise<void>
}

const MAX_ATTEMPTS = 40

/** A transaction conflicted with others in every one of its attempts. */
export class ContentionError extends Error {}

/** A commit met an outage, its cause, so that nobody knows whether it was made. */
export class UncertainCommitError extends Error {}

/**
 * How long a transaction may wait for its turn, in milliseconds. It waits that long only if the
 * database hangs.
 */
const QUEUE_LIMIT_MS = 15_000

/** Runs pieces of work one after the other, in the order of the calls. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    let isLate = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true
        reject(new ContentionError(`waited ${QUEUE_LIMIT_MS} ms for other transactions`))
      }, QUEUE_LIMIT_MS)
    })
    const turn = last.then(() => {
      clearTimeout(timer)
      return isLate ? late : work()
    })
    last = turn.catch(() => {})
    return Promise.race([turn, late])
  }
}

/**
 * How the two kinds of transactions run on PostgreSQL. The lock is taken before the first snapshot,
 * so a transaction that had to wait sees everything that the one before has committed. SQLite needs
 * none of this: it has one writer.
 */
const postgresKinds = {
  alone: { isolation: 'repeatable read', lock: 'exclusive' },
  concurrent: { isolation: 'read committed', lock: 'share' },
} as const
type Kind = keyof typeof postgresKinds

/**
 * Milliseconds between two statements of a transaction that writes. PostgreSQL ends it then, because
 * others wait for its lock: the process that runs it is suspended, or its machine is gone.
 */
const MAX_IDLE_MS = 10_000

/**
 * Makes transactions that write begin with the lock of their kind, in one round trip, and tells
 * commits whose outcome is unknown from those that failed.
 */
function writingWithLocks(
  dialect: KyselyDialect,
  outageOf: DatabaseHost['outageOf'],
): KyselyDialect {
  const begin = new Map<string | undefined, CompiledQuery>(
    Object.values(postgresKinds).map(({ isolation, lock }) => [
      isolation,
      CompiledQuery.raw(
        `start transaction isolation level ${isolation}; set local idle_in_transaction_session_timeout = ${MAX_IDLE_MS}; lock table write_lock in ${lock} mode`,
      ),
    ]),
  )
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver() {
      const driver = dialect.createDriver()
      const writing = new WeakSet<DatabaseConnection>()
      const uncertain = new WeakSet<DatabaseConnection>()
      const plain = driver.beginTransaction.bind(driver)
      driver.beginTransaction = async (connection, settings) => {
        const statement = begin.get(settings.isolationLevel)
        if (!statement || settings.accessMode === 'read only') return plain(connection, settings)
        try {
          await connection.executeQuery(statement)
        } catch (error) {
          // The transaction may have begun before it failed to take the lock.
          await driver.rollbackTransaction(connection).catch(() => {})
          throw error
        }
        writing.add(connection)
      }
      const commit = driver.commitTransaction.bind(driver)
      driver.commitTransaction = async (connection) => {
        const hasWritten = writing.delete(connection)
        try {
          await commit(connection)
        } catch (error) {
          if (!hasWritten || !outageOf?.(error)) throw error
          uncertain.add(connection)
          throw new UncertainCommitError('the outcome of a commit is unknown', { cause: error })
        }
      }
      const rollback = driver.rollbackTransaction.bind(driver)
      driver.rollbackTransaction = async (connection) => {
        writing.delete(connection)
        try {
          await rollback(connection)
        } catch (error) {
          // It follows the commit, whose error says more.
          if (!uncertain.has(connection)) throw error
        }
      }
      return driver
    },
  }
}

/** The schema was made by a newer version of this program. */
export class NewerSchemaError extends Error {}

/** @throws if a migration has not run, and a later one of the same list has */
function requireOrder(lists: readonly Migrations[], applied: readonly string[]): void {
  for (const list of lists) {
    const names = Object.keys(list).toSorted()
    const pending = names.findIndex((name) => !applied.includes(name))
    const later = names.find((name, index) => index > pending && applied.includes(name))
    if (pending < 0 || later === undefined) continue
    throw new Error(`the change "${names[pending]}" precedes "${later}", which was made`)
  }
}

/**
 * Opens a database and brings its tables up to date, under a lock.
 * @param lists all migrations: those of the control plane, and of each part of its engine. Each list
 * runs in order, but a part may join a database later.
 * @param measures told of conflicts between transactions
 * @throws NewerSchemaError
 * @throws OlderSchemaError
 */
export async function openDatabase(
  host: DatabaseHost,
  lists: readonly Migrations[],
  measures: Pick<Instrumentation, 'conflicted'>,
): Promise<Omit<OpenDatabase, 'findsText'>> {
  /** Error of a statement → the statement that failed. */
  const failed = new WeakMap<object, CompiledQuery>()
  const watches = createWatches()
  const db = new Kysely<Database>({
    dialect:
      host.dialect === 'postgres' ? writingWithLocks(host.kysely, host.outageOf) : host.kysely,
    log(event) {
      if (event.level === 'query') return watches.executed(event.query)
      if (typeof event.error === 'object' && event.error) failed.set(event.error, event.query)
    },
  })
  const known: Migrations = Object.assign({}, ...lists)
  const migrations = Object.fromEntries(
    Object.entries(known).map(([name, migrate]) => [
      name,
      { up: (tx: Kysely<unknown>) => migrate(tx, host.dialect) },
    ]),
  )
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    allowUnorderedMigrations: true,
  })
  try {
    const applied = appliedOf(await recordedMigrations(db).catch(() => []), known)
    const newer = applied.names.find((name) => !(name in known))
    if (newer) throw new NewerSchemaError(`it has the change "${newer}"`)
    if (applied.isTooOld) throw new OlderSchemaError()
    requireOrder(lists, applied.names)
    if (applied.replaced.length > 0) await recordBaseline(db, applied.replaced)
    // The migrator reads all tables.
    const isUpToDate = applied.names.length === Object.keys(known).length
    const { error } = isUpToDate ? {} : await migrator.migrateToLatest()
    if (error) throw error
  } catch (error) {
    await db.destroy()
    throw error
  }

  const refusalOf = (error: unknown): ApiError | undefined => {
    const index = host.violatedIndex(error)
    const statement = index === undefined ? undefined : failed.get(error as object)
    return statement && nameTaken(index!, statement)
  }
  /**
   * A duplicate key that is not a name was generated by the work, so the next attempt gets another.
   */
  const isConflict = (error: unknown): boolean =>
    host.isConflict(error) || (host.violatedIndex(error) !== undefined && !refusalOf(error))

  // Transactions that run alone wait for each other here, without holding a connection.
  const queue = createQueue()
  const once = <T>(kind: Kind, work: (tx: Tx) => Promise<T>): Promise<T> => {
    if (host.dialect === 'sqlite') return watches.during(() => db.transaction().execute(work))
    const { isolation } = postgresKinds[kind]
    const run = () =>
      watches.during(() => db.transaction().setIsolationLevel(isolation).execute(work))
    return kind === 'alone' ? queue(run) : run()
  }

  const transaction = async <T>(kind: Kind, work: (tx: Tx) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      const begun = performance.now()
      try {
        return await once(kind, work)
      } catch (error) {
        if (!isConflict(error)) throw refusalOf(error) ?? error
        const seconds = (performance.now() - begun) / 1000
        measures.conflicted({ kind, attempt, seconds, givenUp: attempt >= MAX_ATTEMPTS })
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
  const snapshot: RunTransaction = (work) => {
    const begun = db.transaction()
    if (host.dialect === 'sqlite') return begun.execute(work)
    return begun.setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
  }

  const { dialect } = host
  // A second process on the same SQLite database is refused by the lock of its data directory.
  const shared = dialect === 'postgres'
  return {
    db,
    dialect,
    shared,
    written: host.written,
    probe: () => host.probe?.() ?? db.selectFrom('setting').select('key').limit(1).execute(),
    figures: host.figures,
    connections: host.connections,
    replication: host.replication,
    transaction: (work) => transaction('alone', work),
    concurrently: (work) => transaction('concurrent', work),
    snapshot,
    watch: watches.watch,
    isConflict,
    refusalOf,
    close: () => db.destroy(),
  }
}
