import type { Kysely } from 'kysely'

/** Adds the position of the item that has to succeed before another one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('job_item').addColumn('needs_position', 'integer').execute()
}
