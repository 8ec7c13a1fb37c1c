import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, textType } from './build.ts'

/** Clocks of hosts, which are looked at from now on. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const text = textType(dialect)
  const columns = { clock_ahead: sql.raw('bigint'), time_clock_apart: text }
  for (const [column, type] of Object.entries(columns)) {
    await db.schema.alterTable('host').addColumn(column, type).execute()
  }
  await index(db, 'host_clock_apart', 'host', ['time_clock_apart', 'id'], {
    where: 'time_deleted is null and clock_ahead is not null',
  })
  // No alarm has made hosts in service due until now.
  await sql`update host set reconcile_at = time_created
    where state = 'in_service' and time_deleted is null and reconcile_at is null`.execute(db)
}
