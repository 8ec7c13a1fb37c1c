import { type Kysely, sql } from 'kysely'
import { STEP_FAILING } from '../kernel/reconciler/reconciler.ts'
import { index } from './build.ts'

/** Tables that were reconciled when this migration was written. */
const tables = [
  'instance',
  'disk',
  'snapshot',
  'job',
  'rack',
  'system_update',
  'support_bundle',
  'multicast_group',
  'alert_receiver',
]

/** Counts the failed steps of rows, with an index of those that keep failing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of tables) {
    await db.schema
      .alterTable(table)
      .addColumn('step_failures', sql.raw('int'), (c) => c.notNull().defaultTo(0))
      .execute()
    for (const column of ['step_failure', 'time_step_failed']) {
      await db.schema.alterTable(table).addColumn(column, 'text').execute()
    }
    await index(db, `${table}_failing`, table, ['time_step_failed'], { where: STEP_FAILING })
  }
}
