import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, reconciledIndexes, table } from './build.ts'

/**
 * The networks of VPCs, for engines that carry packets between machines. External addresses may lead
 * to such machines without a port of the host.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    id: 'text',
    project_id: 'text',
    wanted: 'text',
    generation: 'int',
    applied: 'text?',
    applied_version: 'int?',
    time_applied: 'text?',
    reconcile_at: 'text?',
    lease_until: 'bigint?',
    step_failure: 'text?',
    time_step_failed: 'text?',
  }
  await table(db, dialect, 'vpc_network', columns, ['id'])
  for (const column of ['fence', 'step_failures']) {
    await db.schema
      .alterTable('vpc_network')
      .addColumn(column, sql.raw('int'), (c) => c.notNull().defaultTo(0))
      .execute()
  }
  const indexed = (name: string, on: string[], where?: string) =>
    index(db, `vpc_network_${name}`, 'vpc_network', on, where ? { where } : {})
  await indexed('of_project', ['project_id'])
  await reconciledIndexes(db, 'vpc_network')
  for (const column of ['direct', 'measured']) {
    await db.schema
      .alterTable('instance_network')
      .addColumn(column, sql.raw('int'), (c) => c.notNull().defaultTo(0))
      .execute()
  }
}
