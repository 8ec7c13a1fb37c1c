import { type Kysely, sql } from 'kysely'

/** Counts boots apart from the reboots that were asked for: a guest may reboot by itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('simulated_machine')
    .addColumn('boot', sql.raw('int'), (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update simulated_machine set boot = reboots`.execute(db)
}
