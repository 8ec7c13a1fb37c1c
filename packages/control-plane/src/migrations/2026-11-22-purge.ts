import type { Kysely } from 'kysely'
import { index } from './build.ts'

const tables = [
  'router_route',
  'vpc_router',
  'internet_gateway_ip_pool',
  'internet_gateway',
  'vpc_firewall_rule',
  'vpc_subnet',
  'vpc',
  'affinity_group',
  'instance',
  'ssh_key',
  'disk',
  'image',
  'snapshot',
  'project',
  'ip_pool',
  'silo_user',
  'silo_group',
  'silo',
]

/**
 * Indexes to find rows that were deleted long ago, and the instances that were made with an SSH
 * key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of tables) {
    await index(db, `${table}_deleted`, table, ['time_deleted'], {
      where: 'time_deleted is not null',
    })
  }
  await index(db, 'instance_ssh_key_key', 'instance_ssh_key', ['ssh_key_id'])
}
