import type { Kysely } from 'kysely'

/** Changes of tags by jobs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('job').addColumn('tags', 'text').execute()
}
