import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('silo').addColumn('device_token_max_ttl_seconds', 'bigint').execute()
}
