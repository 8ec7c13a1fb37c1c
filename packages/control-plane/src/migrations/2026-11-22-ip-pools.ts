import { FLEET_ID } from '@steading/api/rules'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { nameKey } from '@steading/api/rules'
import { index, live } from './build.ts'

const sorts = { natural_name: 'name_key', description: 'description', created: 'time_created' }
const filters = ['ip_version', 'pool_type', 'assignment']

/** IP pools for operators: their list, their assignment, and their use. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const text = sql.raw(dialect === 'postgres' ? 'text collate "C"' : 'text')
  const add = (name: string, type: typeof text, value: string | number) =>
    db.schema
      .alterTable('ip_pool')
      .addColumn(name, type, (column) => column.notNull().defaultTo(value))
      .execute()
  await add('fleet_id', text, FLEET_ID)
  await add('assignment', text, 'silos')
  await add('name_key', text, '')
  await add('allocated', sql`bigint`, 0)
  await sql`update ip_pool set allocated = (
    select count(distinct ip_key) from external_ip where ip_pool_id = ip_pool.id)`.execute(db)
  const { rows } = await sql<{ id: string; name: string }>`select id, name from ip_pool`.execute(db)
  for (const { id, name } of rows) {
    await sql`update ip_pool set name_key = ${nameKey(name)} where id = ${id}`.execute(db)
  }

  const where = { where: live }
  await index(db, 'ip_pool_by_name', 'ip_pool', ['fleet_id', 'name'], where)
  for (const [sort, column] of Object.entries(sorts)) {
    await index(db, `ip_pool_by_${sort}`, 'ip_pool', ['fleet_id', column, 'id'], where)
  }
  for (const column of filters) {
    await index(db, `ip_pool_by_${column}`, 'ip_pool', ['fleet_id', column, 'id'], where)
  }
  const searched = ['name', 'description', ...filters, 'time_deleted']
  await index(db, 'ip_pool_search', 'ip_pool', ['fleet_id', ...searched, 'id'], {
    where: `${live} and name <> ''`,
  })
  await index(db, 'ip_pool_silo_link_pool', 'ip_pool_silo_link', ['ip_pool_id', 'silo_id'])
  // Free addresses are kept up to date when ranges change, so nothing compares these any more.
  await db.schema.alterTable('address_space').dropColumn('ranges').execute()
}
