import type { Kysely } from 'kysely'

/** Indexes that repeat a unique one on the same columns: each is written with every row. */
const repeated = ['network_interface_vpc_mac', 'silo_found']

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of repeated) await db.schema.dropIndex(name).execute()
}
