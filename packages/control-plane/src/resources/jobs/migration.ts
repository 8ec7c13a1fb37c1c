import type { Kysely } from 'kysely'
import type { Dialect } from '../../kernel/db/database.ts'

/** Adds the position of the item that has to succeed before another one. */
export async function up(db: Kysely<unknown>, _dialect: Dialect): Promise<void> {
  await db.schema.alterTable('job_item').addColumn('needs_position', 'integer').execute()
}
