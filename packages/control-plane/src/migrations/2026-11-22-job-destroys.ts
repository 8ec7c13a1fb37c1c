import type { Kysely } from 'kysely'

/** Adds how many things that hold data a job was planned to delete. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('job')
    .addColumn('destroys', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
