import { SqliteAdapter, SqliteDialect, type SqliteDialectConfig } from 'kysely'

/** SQLite can roll back changes of tables, so a migration that is cut off leaves nothing behind. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class TransactionalSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter()
  }
}

/** Kysely over any SQLite with the small interface Kysely knows: native or WebAssembly. */
export const sqliteDialect = (config: SqliteDialectConfig): SqliteDialect =>
  new TransactionalSqliteDialect(config)
