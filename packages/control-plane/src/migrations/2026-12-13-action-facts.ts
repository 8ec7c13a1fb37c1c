import type { Kysely } from 'kysely'

/** The names in sentences about actions; earlier entries do without. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('audit_log').addColumn('facts', 'text').execute()
}
