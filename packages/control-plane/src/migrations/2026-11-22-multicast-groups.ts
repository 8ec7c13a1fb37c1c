import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, listed, table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const group = {
    ...listed,
    fleet_id: 'text',
    multicast_ip: 'text',
    ip_key: 'text',
    ip_version: 'text',
    ip_pool_id: 'text',
    state: 'text',
    generation: 'int',
    reconcile_at: 'text?',
    lease_until: 'bigint?',
    fence: 'int',
  }
  await table(db, dialect, 'multicast_group', group, ['id'])
  const indexed = (name: string, on: string[], options = {}) =>
    index(db, `multicast_group_${name}`, 'multicast_group', on, options)
  await indexed('name', ['fleet_id', 'name'], { unique: true })
  await indexed('by_name_key', ['fleet_id', 'name_key'], { unique: true })
  await indexed('by_ip', ['fleet_id', 'ip_key'], { unique: true })
  // The last three are filters, not sorts.
  const sorts = {
    created: 'time_created',
    version: 'ip_version',
    state: 'state',
    pool: 'ip_pool_id',
  }
  for (const [sort, column] of Object.entries(sorts)) {
    await indexed(`by_${sort}`, ['fleet_id', column, 'id'])
  }
  const searched = ['name', 'multicast_ip', 'ip_version', 'state', 'ip_pool_id', 'id']
  await indexed('search', ['fleet_id', ...searched], { where: "name <> ''" })
  await indexed('found', ['multicast_ip'])
  await indexed('pool', ['ip_pool_id', 'ip_key'])
  await indexed('reconcile', ['reconcile_at'], { where: 'reconcile_at is not null' })
  await indexed('lease', ['lease_until'], { where: 'lease_until is not null' })

  const member = {
    id: 'text',
    group_id: 'text',
    instance_id: 'text',
    source_ips: 'text',
    state: 'text',
    time_created: 'text',
    time_modified: 'text',
  }
  await table(db, dialect, 'multicast_group_member', member, ['group_id', 'instance_id'])
  const ofMembers = (name: string, on: string[]) =>
    index(db, `multicast_group_member_${name}`, 'multicast_group_member', on)
  await ofMembers('in_group', ['group_id', 'id'])
  await ofMembers('of_instance', ['instance_id', 'id'])
}
