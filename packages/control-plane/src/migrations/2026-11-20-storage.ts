import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index } from './build.ts'

/** Snapshots are reconciled, and volumes have bytes. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const text = sql.raw(dialect === 'postgres' ? 'text collate "C"' : 'text')
  const flag = sql.raw('int')
  const no = 0
  await db.schema
    .alterTable('snapshot')
    .addColumn('has_volume', flag, (c) => c.notNull().defaultTo(no))
    .execute()
  await db.schema.alterTable('snapshot').addColumn('reconcile_at', text).execute()
  await index(db, 'snapshot_due', 'snapshot', ['reconcile_at'], {
    where: 'reconcile_at is not null',
  })
  await index(db, 'snapshot_disk', 'snapshot', ['disk_id'], { where: "state = 'creating'" })
  await index(db, 'image_snapshot', 'image', ['snapshot_id'], {
    where: 'snapshot_id is not null',
  })
  for (const column of ['is_snapshot', 'has_bytes']) {
    await db.schema
      .alterTable('simulated_volume')
      .addColumn(column, flag, (c) => c.notNull().defaultTo(no))
      .execute()
  }
}
