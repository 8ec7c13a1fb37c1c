import type { Kysely } from 'kysely'

/** Whether the machines of instances found nothing to boot from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('instance')
    .addColumn('nothing_to_boot', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
