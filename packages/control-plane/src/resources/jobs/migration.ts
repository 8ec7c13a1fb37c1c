import type { Kysely } from 'kysely'

/** Items of jobs may need others to succeed before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('job_item').addColumn('needs_position', 'integer').execute()
}
