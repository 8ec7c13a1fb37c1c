import type { Kysely } from 'kysely'

/** When sessions end by the word of the identity provider. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('console_session').addColumn('time_expires', 'text').execute()
}
