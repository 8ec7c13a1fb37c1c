import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, listed, table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    ...listed,
    subnet: 'text',
    ip: 'text',
    first_key: 'text',
    prefix_length: 'int',
    subnet_pool_id: 'text',
    subnet_pool_member_id: 'text',
    project_id: 'text',
    instance_id: 'text?',
  }
  await table(db, dialect, 'external_subnet', columns, ['id'])
  const indexed = (name: string, on: string[], options = {}) =>
    index(db, `external_subnet_${name}`, 'external_subnet', on, options)
  await indexed('name', ['project_id', 'name'], { unique: true })
  await indexed('by_name_key', ['project_id', 'name_key'], { unique: true })
  // The last two are filters, not sorts.
  const instance = "coalesce(instance_id, '')"
  const sorts = {
    description: 'description',
    created: 'time_created',
    subnet: 'first_key',
    instance,
    pool: 'subnet_pool_id',
  }
  for (const [sort, column] of Object.entries(sorts)) {
    await indexed(`by_${sort}`, ['project_id', column, 'id'])
  }
  await indexed(
    'search',
    ['project_id', 'name', 'description', 'subnet', instance, 'subnet_pool_id', 'ip', 'id'],
    { where: "name <> ''" },
  )
  await indexed('found', ['name'])
  await indexed('ip', ['ip'])
  await indexed('project_ip', ['project_id', 'ip'])
  await indexed('instance', ['instance_id'])
  await indexed('member', ['subnet_pool_member_id'])
}
