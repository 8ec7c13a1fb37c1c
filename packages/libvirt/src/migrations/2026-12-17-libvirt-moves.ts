import type { Kysely } from 'kysely'

/** Why the newest move of a machine has failed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('libvirt_machine').addColumn('move_failure', 'text').execute()
}
