import type { Kysely } from 'kysely'

/** Adds why an instance has failed, and why it could not be restarted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['failure', 'restart_problem']) {
    await db.schema.alterTable('instance').addColumn(column, 'text').execute()
  }
}
