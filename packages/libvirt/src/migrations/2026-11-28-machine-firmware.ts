import type { Kysely } from 'kysely'

/** The firmware that machines were started with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('libvirt_machine').addColumn('firmware', 'text').execute()
}
