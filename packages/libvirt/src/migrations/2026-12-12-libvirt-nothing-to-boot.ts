import type { Kysely } from 'kysely'

/**
 * Whether machines found nothing to boot from; and the end of images without contents, which earlier
 * versions made on the first start. Real machines boot from none of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('libvirt_machine')
    .addColumn('nothing_to_boot', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await (db as Kysely<{ image: { snapshot_id: string | null; time_deleted: string | null } }>)
    .updateTable('image')
    .set({ time_deleted: new Date().toISOString() })
    .where('snapshot_id', 'is', null)
    .where('time_deleted', 'is', null)
    .execute()
}
