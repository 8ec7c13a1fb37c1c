import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, listed, table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const columns = {
    ...listed,
    project_id: 'text',
    sled_id: 'text',
    interface_id: 'text',
    vpc_id: 'text',
    subnet_id: 'text',
    mac: 'text',
    ipv4: 'text',
    ipv6: 'text',
    ip: 'text',
    ip_key: 'text',
    ip_pool_id: 'text',
  }
  await table(db, dialect, 'probe', columns, ['id'])
  const indexed = (name: string, on: string[], options = {}) =>
    index(db, `probe_${name}`, 'probe', on, options)
  await indexed('name', ['project_id', 'name'], { unique: true })
  await indexed('by_name_key', ['project_id', 'name_key'], { unique: true })
  // The last two are filters, not sorts.
  const sorts = {
    description: 'description',
    created: 'time_created',
    ip: 'ip_key',
    pool: 'ip_pool_id',
    sled: 'sled_id',
  }
  for (const [sort, column] of Object.entries(sorts)) {
    await indexed(`by_${sort}`, ['project_id', column, 'id'])
  }
  const searched = ['name', 'description', 'ip', 'ipv4', 'ipv6', 'ip_pool_id', 'sled_id', 'id']
  await indexed('search', ['project_id', ...searched], { where: "name <> ''" })
  await indexed('found', ['name'])
  for (const column of ['ip', 'ipv4', 'ipv6', 'mac', 'interface_id']) {
    await indexed(`found_${column}`, [column])
    await indexed(`project_${column}`, ['project_id', column])
  }
  await indexed('address', ['ip_pool_id', 'ip_key'], { unique: true })
  await indexed('ipv4', ['subnet_id', 'ipv4'], { unique: true })
  await indexed('ipv6', ['subnet_id', 'ipv6'], { unique: true })
  await indexed('mac', ['vpc_id', 'mac'], { unique: true })
}
