/** Statistics of the database. */
import { type RawBuilder, sql } from 'kysely'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Db, OpenDatabase } from '../../../kernel/db/database.ts'

/** Limit for counting the rows of a table. */
const COUNTED = 100_000

const value = async <T>(db: Db, query: RawBuilder<{ value: T }>): Promise<T | undefined> =>
  (await query.execute(db)).rows[0]?.value

/** Names of the tables; those that implement trigram indexes are left out. */
async function tablesOf(db: Db, dialect: OpenDatabase['dialect']): Promise<string[]> {
  const { rows } =
    dialect === 'sqlite'
      ? await sql<{ name: string }>`
          select name from pragma_table_list
          where schema = 'main' and type = 'table' and name not like 'sqlite_%' order by name`.execute(
          db,
        )
      : await sql<{ name: string }>`
          select tablename as name from pg_tables where schemaname = current_schema()
          order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** The number of rows of a table, up to a limit. */
async function count(db: Db, table: string) {
  const limited = sql`select 1 from ${sql.table(table)} limit ${COUNTED + 1}`
  const rows = Number(
    await value(db, sql<{ value: number }>`select count(*) as value from (${limited}) as rows`),
  )
  return rows > COUNTED ? { rows: COUNTED, more: true } : { rows }
}

export async function databaseStatistics({ db, dialect }: OpenDatabase) {
  const tables: Record<string, unknown> = {}
  for (const table of await tablesOf(db, dialect)) {
    const bytes =
      dialect === 'postgres'
        ? {
            bytes: Number(
              await value(
                db,
                sql<{
                  value: number
                }>`select pg_total_relation_size(${table}::regclass) as value`,
              ),
            ),
          }
        : {}
    tables[table] = { ...(await count(db, table)), ...bytes }
    await yieldToEventLoop()
  }
  const pages = (pragma: string) =>
    value<number>(db, sql`select ${sql.ref(pragma)} as value from ${sql.raw(`pragma_${pragma}()`)}`)
  const size =
    dialect === 'sqlite'
      ? {
          page_size: await pages('page_size'),
          page_count: await pages('page_count'),
          freelist_count: await pages('freelist_count'),
        }
      : {
          bytes: Number(
            await value<number>(db, sql`select pg_database_size(current_database()) as value`),
          ),
        }
  const version = await value<string>(
    db,
    dialect === 'sqlite' ? sql`select sqlite_version() as value` : sql`select version() as value`,
  )
  return { dialect, version, ...size, tables }
}

export async function migrationsOf(db: Db) {
  const { rows } = await sql<{
    name: string
    timestamp: string
  }>`select name, timestamp from kysely_migration order by timestamp, name`.execute(db)
  return rows
}
