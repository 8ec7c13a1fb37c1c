import type { Kysely } from 'kysely'

/** Adds to events who made the change. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['author_id', 'author_name', 'author_silo_id']) {
    await db.schema.alterTable('event').addColumn(column, 'text').execute()
  }
}
