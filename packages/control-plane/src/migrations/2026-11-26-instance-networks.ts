import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, reconciledIndexes, table } from './build.ts'

/** The networks of machines, for engines to which they are applied. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    id: 'text',
    instance_id: 'text',
    project_id: 'text',
    wanted: 'text',
    generation: 'int',
    applied: 'text?',
    applied_version: 'int?',
    time_applied: 'text?',
    endpoints: 'text',
    not_enforced: 'text',
    reconcile_at: 'text?',
    lease_until: 'bigint?',
    step_failure: 'text?',
    time_step_failed: 'text?',
  }
  await table(db, dialect, 'instance_network', columns, ['id'])
  for (const column of ['fence', 'step_failures']) {
    await db.schema
      .alterTable('instance_network')
      .addColumn(column, sql.raw('int'), (c) => c.notNull().defaultTo(0))
      .execute()
  }
  const indexed = (name: string, on: string[], where?: string) =>
    index(db, `instance_network_${name}`, 'instance_network', on, where ? { where } : {})
  await indexed('of_instance', ['instance_id'])
  await reconciledIndexes(db, 'instance_network')
}
