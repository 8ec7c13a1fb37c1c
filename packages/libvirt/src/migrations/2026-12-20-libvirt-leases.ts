import type { Kysely } from 'kysely'

/** The leases under which machines run. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('libvirt_machine').addColumn('lease', 'text').execute()
  await db.schema.alterTable('libvirt_machine').addColumn('lease_version', 'integer').execute()
  await db.schema
    .createIndex('libvirt_machine_lease')
    .on('libvirt_machine')
    .column('lease')
    .execute()
}
