import type { Kysely } from 'kysely'

/** Sessions say where they were opened. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['client_address', 'user_agent']) {
    await db.schema.alterTable('console_session').addColumn(column, 'text').execute()
  }
}
