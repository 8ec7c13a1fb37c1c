import type { Kysely } from 'kysely'

/** Roots that are given again, which the contract does not refuse. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('trust_root_digest').execute()
}
