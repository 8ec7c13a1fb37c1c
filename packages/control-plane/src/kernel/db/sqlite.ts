import {
  type LimitNode,
  type OperationNode,
  type QueryCompiler,
  type RawNode,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely'

/** SQLite can roll back changes of tables, so an interrupted migration leaves nothing behind. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * Writes limits into the text of a statement. SQLite plans with the value of a limit, so that a
 * statement whose limit is a parameter is prepared again each time it runs.
 */
class WrittenLimits extends SqliteQueryCompiler {
  protected override visitLimit({ limit }: LimitNode): void {
    this.append('limit ')
    this.#write(limit)
  }

  /** Limits within raw SQL. */
  protected override visitRaw({ sqlFragments, parameters }: RawNode): void {
    for (const [index, fragment] of sqlFragments.entries()) {
      this.append(fragment)
      const parameter = parameters[index]
      if (!parameter) continue
      if (fragment.endsWith('limit ')) this.#write(parameter)
      else this.visitNode(parameter)
    }
  }

  #write(limit: OperationNode): void {
    if (ValueNode.is(limit) && Number.isSafeInteger(limit.value)) {
      this.append(String(limit.value))
    } else {
      this.visitNode(limit)
    }
  }
}

class SteadingSqliteDialect extends SqliteDialect {
  override createQueryCompiler(): QueryCompiler {
    return new WrittenLimits()
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter()
  }
}

/** Kysely over any SQLite with the small interface Kysely knows: native or WebAssembly. */
export const sqliteDialect = (config: SqliteDialectConfig): SqliteDialect =>
  new SteadingSqliteDialect(config)

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
