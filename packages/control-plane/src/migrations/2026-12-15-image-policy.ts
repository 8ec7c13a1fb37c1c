import type { Kysely } from 'kysely'

/**
 * Whether members of projects may use the images of their silo. Off for silos that exist, because an
 * update must give nobody more rights.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('silo')
    .addColumn('members_use_silo_images', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
}
