import type { Kysely } from 'kysely'

/** Guests whose file systems may be frozen for a snapshot. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('libvirt_machine')
    .addColumn('thaw', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
