import { type Kysely, sql } from 'kysely'

/** The slots of hosts in their rack, so far by their serial numbers; a further host keeps them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('libvirt_host')
    .addColumn('slot', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update libvirt_host set slot =
    (select count(*) from libvirt_host as other where other.serial < libvirt_host.serial)`.execute(
    db,
  )
}
