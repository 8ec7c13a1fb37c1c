/** Rows inserted directly, where a test needs more than it could create through the API. */
import type { Selectable } from 'kysely'
import type { Db } from '../../src/kernel/db/database.ts'
import type { Database } from '../../src/kernel/db/schema.ts'
import { named } from '../../src/kernel/search/name-key.ts'
import { unclaimed } from '../../src/kernel/db/leases.ts'

type Row<Table extends keyof Database> = Selectable<Database[Table]>
export type InstanceRow = Row<'instance'>

function identity(name: string) {
  const time = new Date().toISOString()
  return {
    id: crypto.randomUUID(),
    ...named(name),
    description: '',
    time_created: time,
    time_modified: time,
  }
}
const live = { time_deleted: null }

/** A stopped instance by default. */
export const instanceRow = (
  project_id: string,
  name: string,
  values: Partial<InstanceRow> = {},
): InstanceRow => ({
  ...identity(name),
  ...live,
  project_id,
  ncpus: 1,
  memory: 2 ** 30,
  hostname: 'host',
  user_data: '',
  run_state: 'stopped',
  time_run_state_updated: new Date().toISOString(),
  boot_disk_id: null,
  auto_restart_policy: null,
  time_last_auto_restarted: null,
  cpu_platform: null,
  enable_jumbo_frames: 0,
  start_wanted: 0,
  vm_id: null,
  last_vm_id: null,
  failure: null,
  restart_problem: null,
  pause: null,
  firmware: null,
  nothing_to_boot: 0,
  time_paused: null,
  sled_id: null,
  destination_sled_id: null,
  migration_id: null,
  reboot_count: 0,
  generation: 1,
  reconcile_at: null,
  ...unclaimed,
  ...values,
})

export const diskRow = (
  project_id: string,
  name: string,
  values: Partial<Row<'disk'>> = {},
): Row<'disk'> => ({
  ...identity(name),
  ...live,
  project_id,
  size: 2 ** 30,
  block_size: 512,
  disk_type: 'distributed',
  read_only: 0,
  snapshot_id: null,
  image_id: null,
  growing: 0,
  rollback_snapshot_id: null,
  state: 'detached',
  instance_id: null,
  slot: null,
  importing: 0,
  has_volume: 0,
  storage_pool_id: null,
  generation: 1,
  reconcile_at: null,
  ...unclaimed,
  ...values,
})

export const snapshotRow = (
  project_id: string,
  name: string,
  values: Partial<Row<'snapshot'>> = {},
): Row<'snapshot'> => ({
  ...identity(name),
  ...live,
  project_id,
  disk_id: crypto.randomUUID(),
  size: 2 ** 30,
  block_size: 512,
  state: 'ready',
  consistency: null,
  has_volume: 0,
  storage_pool_id: null,
  reconcile_at: null,
  ...unclaimed,
  ...values,
})

/** An image of a project, or with null of the whole silo. */
export const imageRow = (
  silo_id: string,
  project_id: string | null,
  name: string,
  values: Partial<Row<'image'>> = {},
): Row<'image'> => ({
  ...identity(name),
  ...live,
  silo_id,
  project_id,
  os: 'debian',
  version: '13',
  size: 2 ** 30,
  block_size: 512,
  snapshot_id: null,
  ...values,
})

/** @param address number of the address; a pool has each only once */
export const floatingIpRow = (
  project_id: string,
  ip_pool_id: string,
  address: number,
  name: string,
  values: Partial<Row<'external_ip'>> = {},
): Row<'external_ip'> => ({
  ...identity(name),
  project_id,
  ip_pool_id,
  kind: 'floating',
  ip: `198.51.${address >> 8}.${address & 255}`,
  ip_key: `c633${address.toString(16).padStart(4, '0')}`,
  instance_id: null,
  first_port: 0,
  last_port: 65_535,
  ...values,
})

export const groupRow = (
  project_id: string,
  kind: Row<'affinity_group'>['kind'],
  name: string,
  values: Partial<Row<'affinity_group'>> = {},
): Row<'affinity_group'> => ({
  ...identity(name),
  ...live,
  project_id,
  kind,
  policy: 'allow',
  failure_domain: 'sled',
  ...values,
})

export const projectRow = (
  silo_id: string,
  name: string,
  values: Partial<Row<'project'>> = {},
): Row<'project'> => ({
  ...identity(name),
  ...live,
  silo_id,
  used_cpus: 0,
  used_memory: 0,
  used_storage: 0,
  ...values,
})

export const sshKeyRow = (
  silo_user_id: string,
  name: string,
  values: Partial<Row<'ssh_key'>> = {},
): Row<'ssh_key'> => ({
  ...identity(name),
  ...live,
  silo_user_id,
  public_key: 'ssh-ed25519 A',
  ...values,
})

/** SQLite takes 32,766 values in a statement, and the widest row has some 40 columns. */
const ROWS_AT_ONCE = 500

export async function storeRows<Table extends keyof Database>(
  db: Db,
  table: Table,
  rows: Row<Table>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    await db
      .insertInto(table)
      .values(rows.slice(start, start + ROWS_AT_ONCE) as never)
      .execute()
  }
}
