/**
 * Indexes for substring search by trigrams, the groups of three consecutive letters. They derive
 * from the searches that the kinds declare, and are created when the database is opened, for
 * existing rows too. The database itself keeps them up to date, in the transaction that writes the
 * row.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Dialect, OpenDatabase } from './db/database.ts'
import { storedKinds } from './kinds.ts'
import { digest } from './secrets.ts'

/** Texts with fewer letters have no trigram. */
const TRIGRAM = 3

/** A table with all columns that the searches of its kinds cover. */
interface Indexed {
  table: string
  columns: string[]
  /** SQL that is true of the rows that a search may find. */
  live: string
}

function indexedTables(): Indexed[] {
  const kinds = storedKinds().filter(({ search }) => search)
  return [...new Set(kinds.map(({ table }) => table))].map((table) => {
    const its = kinds.filter((kind) => kind.table === table)
    return {
      table,
      columns: [...new Set(its.flatMap(({ search }) => search!.searched))],
      live: [...new Set(its.map(({ live }) => `(${live})`))].join(' or '),
    }
  })
}

/** The texts of a row, concatenated, in lower case on PostgreSQL. */
const textOf = (dialect: Dialect, columns: readonly string[]): string =>
  columns
    .map((column) => `coalesce(${column}, '')`)
    .map((column) => (dialect === 'sqlite' ? column : `lower(${column})`))
    .join(dialect === 'sqlite' ? ' || char(10) || ' : ' || chr(10) || ')

/**
 * Part of the names of an index and its triggers, so that a changed declaration creates new ones.
 */
async function stampOf(dialect: Dialect, { table, columns, live }: Indexed): Promise<string> {
  return (await digest(JSON.stringify([dialect, table, columns, live]))).slice(0, 8)
}

type AnyDb = Kysely<any>
const run = (db: AnyDb, statement: string) => sql.raw(statement).execute(db)
const read = async <Row>(db: AnyDb, query: RawBuilder<Row>) => (await query.execute(db)).rows

/** Triggers keep the index of a table up to date; their names contain the stamp. */
async function ensureSqlite(db: AnyDb, indexed: Indexed): Promise<void> {
  const { table, columns, live } = indexed
  const name = `${table}_text`
  const stamp = await stampOf('sqlite', indexed)
  const triggers = await read(
    db,
    sql<{ name: string }>`select name from sqlite_master
      where type = 'trigger' and tbl_name = ${table} and name like ${`${name}\\_%`} escape '\\'`,
  )
  const tables = await read(
    db,
    sql`select 1 from sqlite_master where type = 'table' and name = ${name}`,
  )
  const current = triggers.length === 3 && triggers.every((trigger) => trigger.name.endsWith(stamp))
  if (current && tables.length > 0 && (await isInStep(db, indexed))) return

  for (const trigger of triggers) await run(db, `drop trigger ${trigger.name}`)
  await run(db, `drop table if exists ${name}`)
  await run(
    db,
    `create virtual table ${name} using fts5(
       words, content='', contentless_delete=1, detail=none, tokenize='trigram')`,
  )
  const put = (condition: string) =>
    `insert or replace into ${name}(rowid, words)
       select rowid, ${textOf('sqlite', columns)} from ${table} where ${condition};`
  const remove = `delete from ${name} where rowid = old.rowid;`
  await run(db, put(live))
  const described = await read(
    db,
    sql<{ name: string }>`select name from pragma_table_info(${table})`,
  )
  /** Columns whose change moves a row into or out of the index, or changes its text. */
  const watched = described
    .map((column) => column.name)
    .filter((column) => columns.includes(column) || new RegExp(`\\b${column}\\b`).test(live))
  const again = put(`rowid = new.rowid and (${live})`)
  for (const [when, what] of [
    ['insert', again],
    [`update of ${watched.join(', ')}`, remove + again],
    ['delete', remove],
  ] as const) {
    const trigger = `${name}_${when.slice(0, 6)}_${stamp}`
    await run(db, `create trigger ${trigger} after ${when} on ${table} begin ${what} end`)
  }
}

/**
 * Whether the index refers to the right rows of its table. `vacuum`, as in a backup, renumbers the
 * rows if some are missing; then the last row has another number than in the index.
 */
async function isInStep(db: AnyDb, { table, live }: Indexed): Promise<boolean> {
  const last = sql.raw(`select rowid from ${table} where ${live} order by rowid desc limit 1`)
  const [row] = await read(
    db,
    sql<{ same: number }>`select (select max(id) from ${sql.table(`${table}_text_docsize`)})
      is (${last}) as same`,
  )
  return row!.same === 1
}

async function ensurePostgres(db: AnyDb, indexed: Indexed): Promise<void> {
  const { table, columns, live } = indexed
  const name = `${table}_text_${await stampOf('postgres', indexed)}`
  const old = await read(
    db,
    sql<{ name: string }>`select indexname as name from pg_indexes
      where schemaname = current_schema() and tablename = ${table}
        and indexname like ${`${table}\\_text\\_%`} and indexname <> ${name}`,
  )
  for (const index of old) await run(db, `drop index ${index.name}`)
  const text = textOf('postgres', columns)
  await run(
    db,
    `create index if not exists ${name} on ${table} using gin ((${text}) gin_trgm_ops)
       where ${live}`,
  )
}

/** Whether the database supports trigrams; adds the extension to PostgreSQL if this user may. */
async function knowsTrigrams({ db, dialect }: Pick<OpenDatabase, 'db' | 'dialect'>) {
  const known =
    dialect === 'sqlite'
      ? sql`select 1 from pragma_module_list where name = 'fts5'`
      : sql`select 1 from pg_extension where extname = 'pg_trgm'`
  const isKnown = async () => (await known.execute(db)).rows.length > 0
  if (dialect === 'sqlite' || (await isKnown())) return isKnown()
  try {
    await sql`create extension if not exists pg_trgm`.execute(db)
    return true
  } catch {
    // Not installed, or not allowed. If two servers start at once, the other may have added it.
    return isKnown()
  }
}

/**
 * Creates the indexes that are missing or whose declaration has changed.
 * @returns whether there are any: not on a PostgreSQL without the extension `pg_trgm`
 */
export async function ensureTrigramIndexes(
  database: Pick<OpenDatabase, 'db' | 'dialect' | 'transaction'>,
): Promise<boolean> {
  const { dialect } = database
  if (!(await knowsTrigrams(database))) return false
  await database.transaction(async (tx) => {
    for (const indexed of indexedTables()) {
      await (dialect === 'sqlite' ? ensureSqlite(tx, indexed) : ensurePostgres(tx, indexed))
    }
  })
  return true
}

/** Whether a text is long enough for the index; shorter ones are searched for in names. */
export const hasTrigram = (text: string): boolean => [...text].length >= TRIGRAM

/** True of rows that may have a text, for PostgreSQL to use its index. The text is in lower case. */
export function mayContain({ table }: { table: string }, like: string): RawBuilder<boolean> {
  const { columns } = indexedTables().find((indexed) => indexed.table === table)!
  return sql`${sql.raw(textOf('postgres', columns))} like ${like} escape '\\'`
}

/** The query for SQLite: the trigrams of a text, all of which a row must have. */
export function trigramsOf(text: string): string {
  const letters = [...text]
  const trigrams = letters.slice(TRIGRAM - 1).map((_, end) => letters.slice(end, end + TRIGRAM))
  return [
    ...new Set(trigrams.map((trigram) => `"${trigram.join('').replaceAll('"', '""')}"`)),
  ].join(' ')
}
