import { type Kysely, sql } from 'kysely'

const all = ['alert_rule', 'instance', 'schedule', 'quota', 'storage', 'certificate', 'system']

/** All topics now include those that are added later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = JSON.stringify(all)
  await sql`update notification_subscription set topics = '[]' where topics = ${text}`.execute(db)
  await sql`update notification_reader set topics = null where topics = ${text}`.execute(db)
}
