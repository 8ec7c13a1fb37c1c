/** Helpers for migrations: tables and indexes that are the same on both databases. */
import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { STEP_FAILING } from '../kernel/reconciler/reconciler.ts'

export type Columns = Record<string, string>

/** The type of text columns, which are compared byte by byte on both databases. */
export const textType = (dialect: Dialect) =>
  sql.raw(dialect === 'postgres' ? 'text collate "C"' : 'text')

/**
 * `text`, `int` and `bigint`, each with `?` for nullable. Text is compared byte by byte on both
 * databases, because pages of names and times are cut by comparing them.
 */
export async function table(
  db: Kysely<unknown>,
  dialect: Dialect,
  name: string,
  columns: Columns,
  primary: string[],
  /** Column → the table whose id it holds; its rows are deleted with the rows of that table. */
  partOf: Record<string, string> = {},
) {
  let builder: CreateTableBuilder<string, string> = db.schema.createTable(name)
  for (const [column, kind] of Object.entries(columns)) {
    const nullable = kind.endsWith('?')
    const base = nullable ? kind.slice(0, -1) : kind
    const type = base === 'text' ? textType(dialect) : sql.raw(base)
    builder = builder.addColumn(column, type, (c) => (nullable ? c : c.notNull()))
  }
  for (const [column, whole] of Object.entries(partOf)) {
    builder = builder.addForeignKeyConstraint(
      `${name}_${column}_fkey`,
      [column],
      whole,
      ['id'],
      (key) => key.onDelete('cascade'),
    )
  }
  await builder.addPrimaryKeyConstraint(`${name}_pkey`, primary).execute()
}

export async function index(
  db: Kysely<unknown>,
  name: string,
  on: string,
  columns: string[],
  options: { unique?: boolean; where?: string } = {},
) {
  const unique = options.unique ? 'unique ' : ''
  const where = options.where ? ` where ${options.where}` : ''
  await sql
    .raw(`create ${unique}index ${name} on ${on} (${columns.join(', ')})${where}`)
    .execute(db)
}

export const identity = {
  id: 'text',
  name: 'text',
  description: 'text',
  time_created: 'text',
  time_modified: 'text',
}
/** With the sort key of the name, for kinds that are searched. */
export const listed = { ...identity, name_key: 'text' }
/** The condition of the rows among which names are unique. */
export const live = 'time_deleted is null'

/** The columns of rows that the reconciler brings on. */
export const reconciled = {
  reconcile_at: 'text?',
  lease_until: 'bigint?',
  fence: 'int',
  step_failures: 'int',
  step_failure: 'text?',
  time_step_failed: 'text?',
}

/** The indexes by which the reconciler finds its rows. */
export async function reconciledIndexes(db: Kysely<unknown>, name: string): Promise<void> {
  const some = (suffix: string, column: string, where: string) =>
    index(db, `${name}_${suffix}`, name, [column], { where })
  await some('reconcile', 'reconcile_at', 'reconcile_at is not null')
  await some('lease', 'lease_until', 'lease_until is not null')
  await some('failing', 'time_step_failed', STEP_FAILING)
}
