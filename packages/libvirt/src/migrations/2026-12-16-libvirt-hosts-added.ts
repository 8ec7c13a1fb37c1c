import type { Kysely } from 'kysely'

/** Hosts that operators add by an address, and the moves of machines between them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('libvirt_host').addColumn('address', 'text').execute()
  await db.schema.alterTable('libvirt_host').addColumn('accelerator', 'text').execute()
  await db.schema.alterTable('libvirt_machine').addColumn('destination', 'text').execute()
}
