import { FLEET_ID } from '@steading/api/rules'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, live } from './build.ts'

/** Columns and indexes for the list of subnet pools for operators. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const text = sql.raw(dialect === 'postgres' ? 'text collate "C"' : 'text')
  await db.schema
    .alterTable('subnet_pool')
    .addColumn('fleet_id', text, (column) => column.notNull().defaultTo(FLEET_ID))
    .execute()
  const where = { where: live }
  await index(db, 'subnet_pool_by_name', 'subnet_pool', ['fleet_id', 'name'], where)
  const columns = {
    natural_name: 'name_key',
    description: 'description',
    created: 'time_created',
    // A filter, not a sort.
    ip_version: 'ip_version',
  }
  for (const [sort, column] of Object.entries(columns)) {
    await index(db, `subnet_pool_by_${sort}`, 'subnet_pool', ['fleet_id', column, 'id'], where)
  }
  const searched = ['fleet_id', 'name', 'description', 'ip_version', 'time_deleted', 'id']
  await index(db, 'subnet_pool_search', 'subnet_pool', searched, {
    where: `${live} and name <> ''`,
  })
  await index(db, 'external_subnet_pool', 'external_subnet', ['subnet_pool_id', 'prefix_length'])
}
