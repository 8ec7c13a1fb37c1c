import type { Kysely } from 'kysely'

/**
 * The access token by which something was told to act later. The limits of jobs are those of their
 * token, with which they end from now on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['schedule', 'schedule_run', 'image_download']) {
    await db.schema.alterTable(table).addColumn('token_id', 'text').execute()
  }
  await db.schema.alterTable('job').dropColumn('limits').execute()
}
