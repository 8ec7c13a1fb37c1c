import type { Kysely } from 'kysely'

/**
 * The access token with which a schedule, a run of it or a download was started. Jobs have the
 * limits of their token from now on, and end with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['schedule', 'schedule_run', 'image_download']) {
    await db.schema.alterTable(table).addColumn('token_id', 'text').execute()
  }
  await db.schema.alterTable('job').dropColumn('limits').execute()
}
