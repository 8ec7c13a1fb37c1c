import type { Kysely } from 'kysely'

/** Pauses of machines whose disks cannot be written or read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('libvirt_machine').addColumn('pause', 'text').execute()
}
