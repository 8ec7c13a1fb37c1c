import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index } from './build.ts'

/**
 * Events get an order that no later commit can change: by transaction, and inside a transaction by
 * id. On SQLite, which has one writer, ids alone are in that order. Adds the lock that transactions
 * of PostgreSQL take as well.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const bigint = sql.raw('bigint')
  await db.schema
    .alterTable('event')
    .addColumn('tx', bigint, (c) => c.notNull().defaultTo(0))
    .execute()
  await index(db, 'event_order', 'event', ['tx', 'id'])
  if (dialect === 'sqlite') return
  await sql`alter table event alter column tx set default pg_current_xact_id()::text::bigint`.execute(
    db,
  )
  // It has no rows; only its lock is used.
  await sql`create table write_lock ()`.execute(db)
}
