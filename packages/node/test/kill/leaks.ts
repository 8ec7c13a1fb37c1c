import { GOES_ON } from '../../../control-plane/src/resources/tenancy/usage/table.ts'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Queries the servers' database. */
export type Ask = (sql: string) => Promise<Record<string, unknown>[]>

/** Queries the embedded database of a running server. */
export const askEmbedded =
  (data: string): Ask =>
  async (sql) => {
    const db = new DatabaseSync(join(data, 'steading.db'), { readOnly: true })
    const rows = db.prepare(sql).all()
    db.close()
    return rows.map((row) => ({ ...row }))
  }

/** PostgreSQL returns sums as text. */
const text = (rows: unknown): string =>
  JSON.stringify(rows, (_, value) => (typeof value === 'number' ? String(value) : value))

const nothing = 'select 1 where 1 = 0'

/** Compares allocations in rows with the corresponding counters. */
export async function leaks(ask: Ask, data: string): Promise<string[]> {
  const found: string[] = []
  const same = async (what: string, a: string, b: string) => {
    const [left, right] = [text(await ask(a)), text(await ask(b))]
    if (left !== right) found.push(`${what}: ${left} but ${right}`)
  }
  const live = 'time_deleted is null'
  await same(
    'quota of CPU and memory',
    'select name, used_cpus cpus, used_memory memory from silo order by name',
    `select silo.name, coalesce(sum(ncpus), 0) cpus, coalesce(sum(memory), 0) memory from silo
     left join project on project.silo_id = silo.id
     left join instance on instance.project_id = project.id and vm_id is not null
     group by silo.name order by silo.name`,
  )
  await same(
    'quota of storage',
    'select name, used_storage bytes from silo order by name',
    `select silo.name, coalesce(sum(size), 0) bytes from silo
     left join project on project.silo_id = silo.id
     left join (select project_id, size from disk where ${live}
       union all select project_id, size from snapshot where ${live}) stored
       on stored.project_id = project.id
     group by silo.name order by silo.name`,
  )
  for (const column of ['cpus', 'memory', 'storage'] as const) {
    await same(
      `${column} of projects`,
      `select name, used_${column} used from silo order by name`,
      `select silo.name, coalesce(sum(project.used_${column}), 0) used from silo
       left join project on project.silo_id = silo.id group by silo.name order by silo.name`,
    )
    await same(
      `newest point of ${column}`,
      `select name, used_${column} used from silo
       where id in (select target_id from provisioned) order by name`,
      `select silo.name, point.${column} used from silo
       join provisioned point on point.target_id = silo.id and point.time =
         (select max(time) from provisioned newest where newest.target_id = silo.id)
       order by silo.name`,
    )
  }
  await same(
    'records of use that go on',
    `select name, used_cpus cpus, used_memory / 1073741824 memory,
       used_storage / 1073741824 storage from silo order by name`,
    `select silo.name, coalesce(sum(case when metric = 'vcpu' then amount end), 0) cpus,
       coalesce(sum(case when metric = 'memory' then amount end), 0) memory,
       coalesce(sum(case when metric in ('disk', 'snapshot') then amount end), 0) storage
     from silo left join usage_record on usage_record.silo_id = silo.id
       and time_end = ${GOES_ON} group by silo.name order by silo.name`,
  )
  await same(
    'room on sleds',
    'select id, used_threads, used_ram from sled where used_threads > 0 or used_ram > 0 order by id',
    `select sled_id id, sum(ncpus) used_threads, sum(memory) used_ram from (
       select sled_id, ncpus, memory from instance
       union all select destination_sled_id, ncpus, memory from instance
     ) held where sled_id is not null group by sled_id order by sled_id`,
  )
  for (const [column, which] of [
    ['used', live],
    ['reclaimable', 'time_deleted is not null'],
  ] as const) {
    await same(
      `${column} bytes of physical disks`,
      `select id, ${column} bytes from physical_disk where ${column} > 0 order by id`,
      `select physical_disk_id id, sum(size) bytes from disk_replica
       where disk_id in (select id from disk where ${which})
       group by physical_disk_id order by physical_disk_id`,
    )
  }
  await same(
    'replicas of disks',
    `select id, 3 replicas from disk where has_volume = 1 and disk_type = 'distributed'
       and read_only = 0 order by id`,
    'select disk_id id, count(*) replicas from disk_replica group by disk_id order by disk_id',
  )
  const gone = 'time_deleted is not null'
  for (const [table, which, operations] of [
    ['instance', 'true', ['instance_create']],
    ['disk', 'true', ['disk_create', 'instance_create']],
    ['snapshot', 'true', ['snapshot_create', 'disk_finalize_import']],
    ['instance', gone, ['instance_delete']],
    ['disk', gone, ['disk_delete']],
    ['snapshot', gone, ['snapshot_delete']],
  ] as const) {
    const names = operations.map((operation) => `'${operation}'`).join()
    const entries = `from audit_log where result = 'success' and operation_id in (${names})`
    await same(
      `rows of ${table} without an entry of ${names} in the audit log`,
      `select id from ${table} where ${which}
         and id not in (select target_id ${entries} and target_id is not null)
         and id not in (select thing_id from audit_log_thing where entry_id in (select id ${entries}))`,
      nothing,
    )
  }
  const instances = `(select id from instance where ${live})`
  await same(
    'addresses',
    `select id from external_ip where instance_id not in ${instances}`,
    nothing,
  )
  await same(
    'addresses that are free and in use',
    `select id from external_ip join free_address
       on space_id = ip_pool_id and ip_key between first_key and last_key
     union all select id from external_ip join free_snat using (ip_pool_id, ip_key, first_port)`,
    nothing,
  )
  await same(
    'addresses that are neither',
    `select count(*) blocks from (select distinct ip_key from external_ip where kind = 'snat') as shared,
       (select 1 union all select 2 union all select 3 union all select 4) as block`,
    `select (select count(*) from external_ip where kind = 'snat') + (select count(*) from free_snat) blocks`,
  )
  await same(
    'interfaces',
    `select id from network_interface where instance_id not in ${instances}`,
    nothing,
  )
  await same(
    'every instance has its interface and outbound address',
    `select id from instance where ${live} order by id`,
    `select instance_id id from network_interface join external_ip using (instance_id)
     where is_primary = 1 and external_ip.kind = 'snat' order by instance_id`,
  )
  await same(
    'disks attached to what is gone',
    `select id from disk where ${live} and instance_id is not null and instance_id not in ${instances}`,
    nothing,
  )
  await same(
    'machines of no instance',
    `select id from simulated_machine where id not in (
      select vm_id from instance where vm_id is not null
      union select last_vm_id from instance where last_vm_id is not null)`,
    nothing,
  )
  await same(
    'instances without their machine',
    `select vm_id id from instance where vm_id is not null
      and vm_id not in (select id from simulated_machine)`,
    nothing,
  )
  await same(
    'consoles of deleted instances',
    'select id from instance where last_vm_id is not null and time_deleted is not null',
    nothing,
  )
  const keepsBytes = `(${live} or id in (select id from deleted_resource))`
  await same(
    'volumes',
    'select id from volume where is_snapshot = 0 order by id',
    `select id from disk where ${keepsBytes} union all select id from update_upload
     union all select id from update_repository where time_pruned is null order by id`,
  )
  await same(
    'snapshots',
    'select id from volume where is_snapshot = 1 order by id',
    `select id from snapshot where ${keepsBytes} order by id`,
  )
  await same(
    'unfinished work',
    'select id from disk where reconcile_at is not null or lease_until is not null',
    nothing,
  )
  await same(
    'snapshots on their way',
    `select id from snapshot where reconcile_at is not null or lease_until is not null or state = 'creating'`,
    nothing,
  )
  await same(
    'groups without members, or that are not done',
    `select id from multicast_group where reconcile_at is not null or lease_until is not null
       or state <> 'Active' or id not in (select group_id from multicast_group_member)`,
    nothing,
  )
  await same(
    'members that are none, or receive and should not',
    `select member.id from multicast_group_member as member
     left join multicast_group as its on its.id = group_id
     left join instance on instance.id = instance_id and time_deleted is null
     where its.id is null or instance.id is null
       or member.state <> (case when run_state = 'running' then 'Joined' else 'Left' end)`,
    nothing,
  )
  await same(
    'groups of the engine',
    'select id, multicast_ip ip from multicast_group order by id',
    'select id, address ip from simulated_multicast order by id',
  )
  await same(
    'addresses of groups that are free and in use',
    `select id from multicast_group join free_address
       on space_id = ip_pool_id and ip_key between first_key and last_key`,
    nothing,
  )
  await same(
    'addresses of groups that are counted',
    `select name, allocated from ip_pool where pool_type = 'multicast' order by name`,
    `select ip_pool.name, count(multicast_group.id) allocated from ip_pool
     left join multicast_group on ip_pool_id = ip_pool.id
     where pool_type = 'multicast' group by ip_pool.name order by ip_pool.name`,
  )
  const rows = await ask('select id, has_bytes from volume')
  // Unfinished removals and copies of a killed server are cleared by a later start.
  const names = readdirSync(join(data, 'volumes')).filter((name) => !name.startsWith('.'))
  const stored = new Set(names)
  // An interrupted chunk has left files before the row of its volume records any.
  for (const { id, has_bytes } of rows) {
    if (!stored.delete(String(id)) && has_bytes) found.push(`no files of volume ${id}`)
  }
  if (stored.size > 0) found.push(`files without a row: ${[...stored].join()}`)
  return found
}

/** Number of reboots of the jobs' instances since their start. */
export async function rebootsOfBulk(ask: Ask): Promise<unknown[]> {
  const rows = await ask(
    `select reboot_count reboots, count(*) instances from instance where name like 'bulk-%'
     group by reboot_count`,
  )
  return rows.map(({ reboots, instances }) => ({
    reboots: Number(reboots),
    instances: Number(instances),
  }))
}
