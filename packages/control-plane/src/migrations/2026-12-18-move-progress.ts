import type { Kysely } from 'kysely'

/** How far moves of instances are, and who has cancelled them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = ['bytes_total', 'bytes_processed', 'bytes_remaining', 'bytes_per_second']
  for (const column of columns) {
    await db.schema.alterTable('instance_move').addColumn(column, 'bigint').execute()
  }
  await db.schema.alterTable('instance_move').addColumn('time_progress', 'text').execute()
  await db.schema.alterTable('instance_move').addColumn('cancelled_by', 'text').execute()
}
