/**
 * Which rows name which others. There are no foreign keys on most tables: SQLite can add one only by
 * writing a table and its indexes anew, and a key alone does not say what is wanted here, that a row
 * must not be marked as deleted while others are in it.
 */
import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { Database } from './schema.ts'

interface Reference {
  table: keyof Database
  column: string
  to: keyof Database
  /**
   * - `within`: the other row is not deleted before this one
   * - `origin`: the other row may be deleted, but is kept as long as this one is live
   */
  kind: 'within' | 'origin'
}

const within = (table: keyof Database, columns: Record<string, keyof Database>): Reference[] =>
  Object.entries(columns).map(([column, to]) => ({ table, column, to, kind: 'within' }))
const origin = (table: keyof Database, column: string, to: keyof Database): Reference => ({
  table,
  column,
  to,
  kind: 'origin',
})

export const references: readonly Reference[] = [
  ...within('silo_user', { silo_id: 'silo' }),
  ...within('silo_group', { silo_id: 'silo' }),
  ...within('silo_group_membership', { group_id: 'silo_group', user_id: 'silo_user' }),
  ...within('console_session', { user_id: 'silo_user' }),
  ...within('ssh_key', { silo_user_id: 'silo_user' }),
  ...within('project', { silo_id: 'silo' }),
  ...within('vpc', { project_id: 'project', system_router_id: 'vpc_router' }),
  ...within('vpc_router', { vpc_id: 'vpc' }),
  ...within('router_route', { vpc_router_id: 'vpc_router' }),
  ...within('vpc_subnet', { vpc_id: 'vpc', custom_router_id: 'vpc_router' }),
  ...within('vpc_firewall_rule', { vpc_id: 'vpc' }),
  ...within('internet_gateway', { vpc_id: 'vpc' }),
  ...within('internet_gateway_ip_pool', { internet_gateway_id: 'internet_gateway' }),
  origin('internet_gateway_ip_pool', 'ip_pool_id', 'ip_pool'),
  ...within('ip_pool_range', { ip_pool_id: 'ip_pool' }),
  ...within('ip_pool_silo_link', { ip_pool_id: 'ip_pool', silo_id: 'silo' }),
  ...within('external_ip', {
    ip_pool_id: 'ip_pool',
    project_id: 'project',
    instance_id: 'instance',
  }),
  ...within('instance', { project_id: 'project', boot_disk_id: 'disk', sled_id: 'sled' }),
  ...within('instance_ssh_key', { instance_id: 'instance' }),
  origin('instance_ssh_key', 'ssh_key_id', 'ssh_key'),
  ...within('disk', { project_id: 'project', instance_id: 'instance' }),
  origin('disk', 'snapshot_id', 'snapshot'),
  origin('disk', 'image_id', 'image'),
  ...within('snapshot', { project_id: 'project' }),
  origin('snapshot', 'disk_id', 'disk'),
  ...within('image', { silo_id: 'silo', project_id: 'project' }),
  origin('image', 'snapshot_id', 'snapshot'),
  ...within('network_interface', {
    instance_id: 'instance',
    vpc_id: 'vpc',
    subnet_id: 'vpc_subnet',
  }),
  ...within('affinity_group', { project_id: 'project' }),
  ...within('affinity_group_member', { group_id: 'affinity_group', instance_id: 'instance' }),
  ...within('sled', { rack_id: 'rack' }),
  ...within('job_item', { job_id: 'job' }),
  origin('job', 'user_id', 'silo_user'),
]

/** Tables whose rows are marked when their thing is deleted; those that are in others come first. */
export const markedTables = [
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
] as const satisfies (keyof Database)[]

const isMarked = (table: string): boolean =>
  table === 'job' || (markedTables as readonly string[]).includes(table)

/** SQL that is true for live rows of a table. */
export const isLive = (table: string, alias = table) =>
  sql.raw<boolean>(isMarked(table) ? `${alias}.time_deleted is null` : 'true')

/** A reference that leads nowhere, with one of its rows and how many there are. */
export interface Dangling {
  table: string
  column: string
  to: string
  rows: number
  example: string
}

/** Looks through all references of live rows; for tests and for who suspects that something is lost. */
export async function findDangling(db: Db): Promise<Dangling[]> {
  const found: Dangling[] = []
  for (const { table, column, to, kind } of references) {
    const id = `its.${column}`
    const { rows } = await sql<{ rows: number; example: string | null }>`
      select count(*) as rows, min(${sql.ref(id)}) as example from ${sql.table(table)} as its
      where ${isLive(table, 'its')} and ${sql.ref(id)} is not null and not exists (
        select 1 from ${sql.table(to)} as other where other.id = ${sql.ref(id)}
          and ${kind === 'within' ? isLive(to, 'other') : sql`true`})`.execute(db)
    const { rows: count, example } = rows[0]!
    if (count > 0) found.push({ table, column, to, rows: count, example: example! })
  }
  return found
}
