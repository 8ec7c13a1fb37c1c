import { FLEET_ID } from '@steading/api/rules'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../../kernel/db/database.ts'
import { index, listed, live, table } from '../../../migrations/build.ts'

/** Subnet pools with their members, free blocks and links to silos. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await table(
    db,
    dialect,
    'subnet_pool',
    { ...listed, time_deleted: 'text?', ip_version: 'text' },
    ['id'],
  )
  await index(db, 'subnet_pool_name', 'subnet_pool', ['name'], { unique: true, where: live })
  const member = {
    id: 'text',
    subnet_pool_id: 'text',
    subnet: 'text',
    first_key: 'text',
    last_key: 'text',
    min_prefix_length: 'int',
    max_prefix_length: 'int',
    time_created: 'text',
  }
  await table(db, dialect, 'subnet_pool_member', member, ['id'])
  await index(db, 'subnet_pool_member_first', 'subnet_pool_member', ['first_key'], {
    unique: true,
  })
  await index(db, 'subnet_pool_member_pool', 'subnet_pool_member', ['subnet_pool_id', 'first_key'])
  const link = { subnet_pool_id: 'text', silo_id: 'text', is_default: 'int' }
  await table(db, dialect, 'subnet_pool_silo_link', link, ['silo_id', 'subnet_pool_id'])
  await index(db, 'subnet_pool_silo_link_pool', 'subnet_pool_silo_link', ['subnet_pool_id'])
  const block = { space_id: 'text', first_key: 'text', prefix_length: 'int' }
  await table(db, dialect, 'free_block', block, ['space_id', 'first_key'], {
    space_id: 'address_space',
  })
  await index(db, 'free_block_length', 'free_block', ['space_id', 'prefix_length', 'first_key'])
}

/** The list of subnet pools for operators. */
export async function listOfPools(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
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
