import type { Kysely } from 'kysely'

/** Alert rules for resources with some tags, and dashboards with a choice of tags. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('alert_rule').addColumn('tag_filter', 'text').execute()
  await db.schema.alterTable('dashboard').addColumn('tag_keys', 'text').execute()
}
