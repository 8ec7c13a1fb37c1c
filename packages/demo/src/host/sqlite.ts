import type { SqliteDatabase } from '@steading/control-plane'
import type { Database, PreparedStatement, SqlValue, Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { type DatabaseHost, sqliteDialect, uniqueIndex } from '@steading/control-plane'

/** Prepared statements to keep; a query with parameter lists has many texts. */
const MAX_STATEMENTS = 500

const CHANGES_TABLES = /^\s*(alter|create|drop)\b/i

type SqliteStatement = ReturnType<SqliteDatabase['prepare']>

/** Converts a value to a bound parameter. */
function input(value: unknown): SqlValue {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'boolean') return value ? 1 : 0
  return (value ?? null) as SqlValue
}

class Statement implements SqliteStatement {
  /** Whether it returns rows: a select, or a write with `returning`. */
  readonly reader: boolean
  readonly #sqlite: Sqlite3Static
  readonly #database: Database
  readonly #statement: PreparedStatement
  /** Cached, because they are decoded from the memory of WebAssembly. */
  readonly #columns: string[]

  constructor(sqlite: Sqlite3Static, database: Database, sql: string) {
    this.#sqlite = sqlite
    this.#database = database
    this.#statement = database.prepare(sql)
    this.reader = this.#statement.columnCount > 0
    this.#columns = this.reader ? this.#statement.getColumnNames([]) : []
  }

  all(parameters: readonly unknown[]): unknown[] {
    return this.#with(parameters, () => {
      const rows: unknown[] = []
      while (this.#statement.step()) {
        const row: Record<string, SqlValue> = {}
        for (const [index, column] of this.#columns.entries()) {
          row[column] = this.#statement.get(index)
        }
        rows.push(row)
      }
      return rows
    })
  }

  run(parameters: readonly unknown[]) {
    return this.#with(parameters, () => {
      this.#statement.step()
      return {
        changes: this.#database.changes(),
        lastInsertRowid: this.#sqlite.capi.sqlite3_last_insert_rowid(this.#database),
      }
    })
  }

  /** All rows at once: they are in memory anyway, and no statement stays open. */
  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.all(parameters).values()
  }

  close(): void {
    this.#statement.finalize()
  }

  #with<T>(parameters: readonly unknown[], work: () => T): T {
    try {
      if (parameters.length > 0) this.#statement.bind(parameters.map(input))
      return work()
    } finally {
      this.#statement.reset(true)
    }
  }
}

/**
 * SQLite in WebAssembly with Kysely's interface and a cache of prepared statements. The
 * database is closed where it was opened.
 */
class WasmSqlite implements SqliteDatabase {
  readonly #sqlite: Sqlite3Static
  readonly #database: Database
  /** Least recently used first. */
  readonly #statements = new Map<string, Statement>()

  constructor(sqlite: Sqlite3Static, database: Database) {
    this.#sqlite = sqlite
    this.#database = database
  }

  prepare(sql: string): SqliteStatement {
    // Prepared statements cache their columns, which a table change may affect.
    if (CHANGES_TABLES.test(sql)) for (const one of this.#statements.keys()) this.#forget(one)
    let statement = this.#statements.get(sql)
    if (statement) {
      this.#statements.delete(sql)
    } else {
      statement = new Statement(this.#sqlite, this.#database, sql)
      if (this.#statements.size >= MAX_STATEMENTS)
        this.#forget(this.#statements.keys().next().value!)
    }
    this.#statements.set(sql, statement)
    return statement
  }

  close(): void {
    for (const sql of this.#statements.keys()) this.#forget(sql)
  }

  #forget(sql: string): void {
    this.#statements.get(sql)?.close()
    this.#statements.delete(sql)
  }
}

/** A database in memory as the control plane's own. */
export function openSqlite(sqlite: Sqlite3Static, database: Database): DatabaseHost {
  database.exec('pragma foreign_keys = on; pragma temp_store = memory;')
  const { SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY } = sqlite.capi
  const taken = new Set<number>([SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY])
  return {
    dialect: 'sqlite',
    kysely: sqliteDialect({ database: new WasmSqlite(sqlite, database) }),
    // No other process could lock anything.
    isConflict: () => false,
    violatedIndex: (error) =>
      error instanceof sqlite.SQLite3Error && taken.has(error.resultCode)
        ? uniqueIndex(error.message, (sql, ...values) => database.selectObject(sql, values))
        : undefined,
  }
}
