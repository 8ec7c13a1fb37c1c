import type { Kysely } from 'kysely'
import type { Dialect } from '../../kernel/db/database.ts'

/** Items of jobs may need others to succeed before. */
export async function up(db: Kysely<unknown>, _dialect: Dialect): Promise<void> {
  await db.schema.alterTable('job_item').addColumn('needs_position', 'integer').execute()
}
