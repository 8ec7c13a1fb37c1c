import { SqliteAdapter, SqliteDialect, type SqliteDialectConfig } from 'kysely'

/** SQLite can roll back changes of tables, so an interrupted migration leaves nothing behind. */
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

const FAILED = 'UNIQUE constraint failed: '

/**
 * The unique index that refused a row. The message of SQLite names the columns of the index, or the
 * index itself if it has expressions.
 * @param message of the error
 * @param first reads the first row of a query
 */
export function uniqueIndex(
  message: string,
  first: (sql: string, ...values: string[]) => unknown,
): string {
  const refused = message.slice(message.indexOf(FAILED) + FAILED.length)
  const named = /^index '(.+)'$/.exec(refused)?.[1]
  if (named !== undefined) return named
  const table = refused.slice(0, refused.indexOf('.'))
  const row = first(
    `select list.name from pragma_index_list(?) as list where list."unique" = 1 and (
       select group_concat(? || '.' || column.name, ', ') from pragma_index_info(list.name) as column
     ) = ?`,
    table,
    table,
    refused,
  )
  return (row as { name: string } | undefined)?.name ?? refused
}
