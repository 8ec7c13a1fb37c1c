import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, listed, live, table } from './build.ts'

/** Subnet pools with their members, what is free of these, and the silos that may use them. */
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
