import type { Kysely } from 'kysely'

/** The firmware that the machines of instances were started with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('instance').addColumn('firmware', 'text').execute()
}
