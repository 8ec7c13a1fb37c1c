import { type Kysely, sql } from 'kysely'

/** Disks that have yet to get their new size, and disks that become one of their snapshots again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('disk')
    .addColumn('growing', 'integer', (column) => column.notNull().defaultTo(sql`0`))
    .execute()
  await db.schema.alterTable('disk').addColumn('rollback_snapshot_id', 'text').execute()
}
