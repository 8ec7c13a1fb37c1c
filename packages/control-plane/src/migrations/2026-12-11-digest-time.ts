import type { Kysely } from 'kysely'

/** Until now daily messages were sent at six o'clock UTC. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [column, type, before] of [
    ['daily_hour', 'integer', 6],
    ['daily_time_zone', 'text', 'UTC'],
  ] as const) {
    await db.schema
      .alterTable('notification_subscription')
      .addColumn(column, type, (c) => c.notNull().defaultTo(before))
      .execute()
  }
}
