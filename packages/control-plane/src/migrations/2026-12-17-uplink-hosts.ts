import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { reconciledIndexes, table } from './build.ts'

/** The hosts that an operator names as uplinks, with what is configured there. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    id: 'text',
    wanted: 'text',
    generation: 'int',
    applied: 'text?',
    applied_version: 'int?',
    time_applied: 'text?',
    found: 'text?',
    problems: 'text',
    reconcile_at: 'text?',
    lease_until: 'bigint?',
    step_failure: 'text?',
    time_step_failed: 'text?',
  }
  await table(db, dialect, 'uplink_host', columns, ['id'])
  for (const column of ['fence', 'step_failures']) {
    await db.schema
      .alterTable('uplink_host')
      .addColumn(column, sql.raw('int'), (c) => c.notNull().defaultTo(0))
      .execute()
  }
  await reconciledIndexes(db, 'uplink_host')
}
