import { closeSync, openSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  type DatabaseHost,
  type Outage,
  type SqliteDatabase,
  sqliteDialect,
  uniqueIndex,
  UNSYNCED,
} from '@steading/control-plane'
import type { SqliteStatement } from 'kysely'
import { errorMessage } from '@steading/files'
import { StartError } from './errors.ts'
import { quickCheckAside } from './sqlite-check.ts'
import { forgetEmptyTables, keepStatistics } from './sqlite-statistics.ts'

/** Prepared statements to keep; a query with parameter lists has many texts. */
const MAX_STATEMENTS = 500
/** Short, because waiting blocks the whole process, and the transaction is retried anyway. */
const BUSY_TIMEOUT_MS = 250

const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14
const SQLITE_NOTADB = 26
const SQLITE_IOERR_SHMSIZE = 4874
const SQLITE_CONSTRAINT_PRIMARYKEY = 1555
const SQLITE_CONSTRAINT_UNIQUE = 2067

const resultCode = (error: unknown): number => {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code : 0
}

/**
 * Whether another connection holds a lock. Extended codes have the plain code in their low byte.
 */
export function isBusy(error: unknown): boolean {
  const plain = resultCode(error) & 0xff
  return plain === SQLITE_BUSY || plain === SQLITE_LOCKED
}

/** Whether the disk is full, for a page or for the shared-memory file. */
export const isFull = (error: unknown): boolean =>
  (resultCode(error) & 0xff) === SQLITE_FULL || resultCode(error) === SQLITE_IOERR_SHMSIZE

const damageCodes = new Set([
  SQLITE_CORRUPT,
  SQLITE_NOTADB,
  SQLITE_IOERR,
  // Failing disks are remounted read-only, and log files can no longer be opened.
  SQLITE_READONLY,
  SQLITE_CANTOPEN,
])

/** The outage behind an error. */
export function sqliteOutage(error: unknown): Outage | undefined {
  if (isFull(error)) return 'full'
  return damageCodes.has(resultCode(error) & 0xff) ? 'damaged' : undefined
}

/** Whether another row has this key. */
const isTaken = (error: unknown): boolean =>
  resultCode(error) === SQLITE_CONSTRAINT_UNIQUE ||
  resultCode(error) === SQLITE_CONSTRAINT_PRIMARYKEY

/**
 * Binds whole numbers as integers; JavaScript numbers would be bound as floats, and
 * `cast(? as text)` would give `50.0`.
 */
function input(value: unknown): SQLInputValue {
  switch (typeof value) {
    case 'number':
      return Number.isSafeInteger(value) ? BigInt(value) : value
    case 'boolean':
      return value ? 1n : 0n
    case 'undefined':
      return null
    case 'object':
      return value instanceof Date ? value.toISOString() : (value as SQLInputValue)
    default:
      return value as SQLInputValue
  }
}

/** Code of Node's error for a number that is not exact in JavaScript. */
const OUT_OF_RANGE = 'ERR_OUT_OF_RANGE'

/** A row read with all integers as `bigint`: as the nearest number, which is how PostgreSQL's are read. */
const withNumbers = (row: unknown): unknown =>
  Object.fromEntries(
    Object.entries(row as object).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? Number(value) : value,
    ]),
  )

/** Runs a statement, and commits it unless a transaction is open. */
type Commit = <T>(run: () => T) => T

/** The connection's own setting: synced, unless it is volatile. */
const asSet: Commit = (run) => run()

class Statement implements SqliteStatement {
  /** Whether it returns rows: a select, or a write with `returning`. */
  readonly reader: boolean
  readonly #isWrite: boolean
  readonly #statement: StatementSync
  readonly #prepareAgain: () => StatementSync
  readonly #commit: Commit

  constructor(prepare: () => StatementSync, commit: Commit) {
    this.#prepareAgain = prepare
    this.#commit = commit
    this.#statement = prepare()
    this.reader = this.#statement.columns().length > 0
    // Of the statements that return rows, only writes have this word.
    this.#isWrite = /\breturning\b/i.test(this.#statement.sourceSQL)
  }

  /** The bytes of a large fleet are more than the largest exact number, 8 PiB. */
  all(parameters: readonly unknown[]): unknown[] {
    const given = parameters.map(input)
    // A write must not run again.
    if (this.#isWrite) return this.#commit(() => this.#readWide(given))
    try {
      return this.#commit(() => this.#statement.all(...given))
    } catch (error) {
      if ((error as { code?: unknown }).code !== OUT_OF_RANGE) throw error
      return this.#commit(() => this.#readWide(given))
    }
  }

  /** Takes longer for each row. */
  #readWide(given: SQLInputValue[]): unknown[] {
    this.#statement.setReadBigInts(true)
    try {
      return this.#statement.all(...given).map(withNumbers)
    } finally {
      this.#statement.setReadBigInts(false)
    }
  }

  run(parameters: readonly unknown[]) {
    return this.#commit(() => this.#statement.run(...parameters.map(input)))
  }

  /**
   * Prepared separately, because an iteration stays open between calls, during which this statement
   * may run again.
   */
  *iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    const statement = this.#prepareAgain()
    statement.setReadBigInts(true)
    for (const row of statement.iterate(...parameters.map(input))) yield withNumbers(row)
  }
}

/** Node's SQLite with Kysely's interface and a cache of prepared statements. */
export class NodeSqlite implements SqliteDatabase {
  readonly #database: DatabaseSync
  readonly #volatile: boolean
  readonly #leaveStatistics: () => void
  /** Least recently used first. */
  readonly #statements = new Map<string, Statement>()

  /**
   * SQLite rolls back automatically after some errors, such as a full disk. A second rollback would
   * fail and hide the first error.
   */
  readonly #rollback: SqliteStatement

  /** Commits without waiting for the disk. */
  readonly #unsynced: Commit = (run) => {
    // A transaction is committed by its own statement.
    if (this.#database.isTransaction) return run()
    this.#database.exec('pragma synchronous = normal')
    try {
      return run()
    } finally {
      this.#database.exec('pragma synchronous = full')
    }
  }

  /** @param options.volatile whether commits do not wait for the disk */
  constructor(database: DatabaseSync, { volatile = false } = {}) {
    this.#database = database
    this.#volatile = volatile
    this.#leaveStatistics = keepStatistics(database)
    this.#rollback = {
      reader: false,
      all: () => [],
      iterate: () => [].values(),
      run() {
        if (database.isTransaction) database.exec('rollback')
        return { changes: 0, lastInsertRowid: 0 }
      },
    }
  }

  prepare(sql: string): SqliteStatement {
    if (sql === 'rollback') return this.#rollback
    let statement = this.#statements.get(sql)
    if (statement) {
      this.#statements.delete(sql)
    } else {
      const commit = sql.endsWith(UNSYNCED) && !this.#volatile ? this.#unsynced : asSet
      statement = new Statement(() => this.#database.prepare(sql), commit)
      if (this.#statements.size >= MAX_STATEMENTS) {
        this.#statements.delete(this.#statements.keys().next().value!)
      }
    }
    this.#statements.set(sql, statement)
    return statement
  }

  close(): void {
    this.#leaveStatistics()
    this.#statements.clear()
    try {
      this.#database.exec('pragma optimize')
      forgetEmptyTables(this.#database)
    } catch {
      // This only speeds up the next start; a full disk or a damaged database prevents it.
    }
    this.#database.close()
  }
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )

/**
 * The embedded database. Every commit is on disk before it returns (synced write-ahead log), except
 * for statements marked otherwise.
 * @param path file, or `:memory:`
 * @param options.volatile whether commits do not wait for the disk; only for tests, whose data is
 * worthless after a power failure
 * @throws StartError if the file cannot be opened; the error of SQLite if the disk is full
 */
export function openSqlite(path: string, { volatile = false } = {}): DatabaseHost {
  let database: DatabaseSync
  try {
    // SQLite would create it readable for other users, as well as the files beside it.
    if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600))
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
    database.exec(`
      pragma journal_mode = wal;
      pragma synchronous = ${volatile ? 'off' : 'full'};
      pragma foreign_keys = on;
      pragma temp_store = memory;
      pragma cache_size = -16000;
    `)
    forgetEmptyTables(database)
  } catch (error) {
    if (isFull(error)) throw error
    throw new StartError(`cannot open the database ${path}: ${errorMessage(error)}`)
  }
  const size = database.prepare(
    'select page_count * page_size as bytes from pragma_page_count, pragma_page_size',
  )
  const own = database.prepare('select total_changes() as count')
  const others = database.prepare('pragma data_version')
  return {
    dialect: 'sqlite',
    written: () => `${own.get()!.count}/${others.get()!.data_version}`,
    kysely: sqliteDialect({ database: new NodeSqlite(database, { volatile }) }),
    async figures() {
      const logBytes = path === ':memory:' ? 0 : await sizeOf(`${path}-wal`)
      return { bytes: Number(size.get()!.bytes), logBytes }
    },
    outageOf: sqliteOutage,
    check: path === ':memory:' ? undefined : (signal) => quickCheckAside(path, signal),
    isConflict: isBusy,
    violatedIndex: (error) =>
      isTaken(error)
        ? uniqueIndex(errorMessage(error), (sql, ...values) => database.prepare(sql).get(...values))
        : undefined,
  }
}
