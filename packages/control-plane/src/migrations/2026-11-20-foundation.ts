import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { type Columns, identity, index, live, table } from './build.ts'

export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const make = (name: string, columns: Columns, primary = ['id']) =>
    table(db, dialect, name, columns, primary)
  /** Serves both sorts of a list inside its parent, and keeps names unique among live rows. */
  const listed = async (name: string, parent: string) => {
    await index(db, `${name}_name`, name, [parent, 'name'], { unique: true, where: live })
    await index(db, `${name}_id`, name, [parent, 'id'], { where: live })
  }

  await make('setting', { key: 'text', value: 'text' }, ['key'])
  await make('silo', {
    ...identity,
    time_deleted: 'text?',
    identity_mode: 'text',
    discoverable: 'int',
    admin_group_name: 'text?',
    mapped_fleet_roles: 'text',
    quota_cpus: 'bigint',
    quota_memory: 'bigint',
    quota_storage: 'bigint',
    used_cpus: 'bigint',
    used_memory: 'bigint',
    used_storage: 'bigint',
  })
  await index(db, 'silo_name', 'silo', ['name'], { unique: true, where: live })

  await make('silo_user', {
    id: 'text',
    silo_id: 'text',
    external_id: 'text',
    display_name: 'text',
    password_hash: 'text?',
    time_created: 'text',
    time_modified: 'text',
    time_deleted: 'text?',
  })
  await index(db, 'silo_user_external', 'silo_user', ['silo_id', 'external_id'], {
    unique: true,
    where: live,
  })
  await index(db, 'silo_user_id', 'silo_user', ['silo_id', 'id'], { where: live })
  await make('silo_group', {
    id: 'text',
    silo_id: 'text',
    display_name: 'text',
    time_created: 'text',
    time_modified: 'text',
    time_deleted: 'text?',
  })
  await index(db, 'silo_group_display', 'silo_group', ['silo_id', 'display_name'], {
    unique: true,
    where: live,
  })
  await index(db, 'silo_group_id', 'silo_group', ['silo_id', 'id'], { where: live })
  await make('silo_group_membership', { group_id: 'text', user_id: 'text' }, [
    'user_id',
    'group_id',
  ])
  await index(db, 'silo_group_membership_group', 'silo_group_membership', ['group_id', 'user_id'])
  await make(
    'role_assignment',
    {
      resource_type: 'text',
      resource_id: 'text',
      identity_type: 'text',
      identity_id: 'text',
      role_name: 'text',
    },
    ['resource_type', 'resource_id', 'identity_id', 'role_name'],
  )
  await index(db, 'role_assignment_identity', 'role_assignment', ['identity_id'])
  await make('console_session', {
    id: 'text',
    token_hash: 'text',
    user_id: 'text',
    time_created: 'text',
    time_last_used: 'text',
  })
  await index(db, 'console_session_token', 'console_session', ['token_hash'], { unique: true })
  await index(db, 'console_session_user', 'console_session', ['user_id'])
  await make('ssh_key', {
    ...identity,
    time_deleted: 'text?',
    silo_user_id: 'text',
    public_key: 'text',
  })
  await listed('ssh_key', 'silo_user_id')

  await make('project', { ...identity, time_deleted: 'text?', silo_id: 'text' })
  await listed('project', 'silo_id')

  await make('vpc', {
    ...identity,
    time_deleted: 'text?',
    project_id: 'text',
    system_router_id: 'text',
    ipv6_prefix: 'text',
    dns_name: 'text',
    vni: 'int',
  })
  await listed('vpc', 'project_id')
  await index(db, 'vpc_vni', 'vpc', ['vni'], { unique: true, where: live })
  await make('vpc_router', { ...identity, time_deleted: 'text?', vpc_id: 'text', kind: 'text' })
  await listed('vpc_router', 'vpc_id')
  await make('router_route', {
    ...identity,
    time_deleted: 'text?',
    vpc_router_id: 'text',
    kind: 'text',
    target: 'text',
    destination: 'text',
  })
  await listed('router_route', 'vpc_router_id')
  await make('vpc_subnet', {
    ...identity,
    time_deleted: 'text?',
    vpc_id: 'text',
    ipv4_block: 'text',
    ipv6_block: 'text',
    custom_router_id: 'text?',
  })
  await listed('vpc_subnet', 'vpc_id')
  await make('vpc_firewall_rule', {
    ...identity,
    time_deleted: 'text?',
    vpc_id: 'text',
    status: 'text',
    direction: 'text',
    targets: 'text',
    filters: 'text',
    action: 'text',
    priority: 'int',
  })
  await listed('vpc_firewall_rule', 'vpc_id')
  await make('internet_gateway', { ...identity, time_deleted: 'text?', vpc_id: 'text' })
  await listed('internet_gateway', 'vpc_id')
  await make('internet_gateway_ip_pool', {
    ...identity,
    time_deleted: 'text?',
    internet_gateway_id: 'text',
    ip_pool_id: 'text',
  })
  await listed('internet_gateway_ip_pool', 'internet_gateway_id')

  await make('ip_pool', {
    ...identity,
    time_deleted: 'text?',
    ip_version: 'text',
    pool_type: 'text',
  })
  await index(db, 'ip_pool_name', 'ip_pool', ['name'], { unique: true, where: live })
  await make('ip_pool_range', {
    id: 'text',
    ip_pool_id: 'text',
    first_key: 'text',
    last_key: 'text',
    time_created: 'text',
  })
  await index(db, 'ip_pool_range_first', 'ip_pool_range', ['ip_pool_id', 'first_key'], {
    unique: true,
  })
  await make('ip_pool_silo_link', { ip_pool_id: 'text', silo_id: 'text', is_default: 'int' }, [
    'silo_id',
    'ip_pool_id',
  ])
  await make('external_ip', {
    id: 'text',
    kind: 'text',
    ip: 'text',
    ip_key: 'text',
    ip_pool_id: 'text',
    project_id: 'text',
    instance_id: 'text?',
    first_port: 'int',
    last_port: 'int',
    name: 'text?',
    description: 'text?',
    time_created: 'text',
    time_modified: 'text',
  })
  await index(db, 'external_ip_address', 'external_ip', ['ip_pool_id', 'ip_key', 'first_port'], {
    unique: true,
  })
  await index(db, 'external_ip_instance', 'external_ip', ['instance_id'])
  await index(db, 'external_ip_name', 'external_ip', ['project_id', 'name'], {
    unique: true,
    where: 'name is not null',
  })

  await make('instance', {
    ...identity,
    time_deleted: 'text?',
    project_id: 'text',
    ncpus: 'int',
    memory: 'bigint',
    hostname: 'text',
    user_data: 'text',
    run_state: 'text',
    time_run_state_updated: 'text',
    boot_disk_id: 'text?',
    auto_restart_policy: 'text?',
    time_last_auto_restarted: 'text?',
    cpu_platform: 'text?',
    enable_jumbo_frames: 'int',
    start_wanted: 'int',
    vm_id: 'text?',
    sled_id: 'text?',
    reboot_count: 'int',
    generation: 'int',
    reconcile_at: 'text?',
  })
  await listed('instance', 'project_id')
  await index(db, 'instance_due', 'instance', ['reconcile_at'], {
    where: 'reconcile_at is not null',
  })
  await index(db, 'instance_vm', 'instance', ['vm_id'], {
    unique: true,
    where: 'vm_id is not null',
  })
  await make('instance_ssh_key', { instance_id: 'text', ssh_key_id: 'text' }, [
    'instance_id',
    'ssh_key_id',
  ])

  await make('disk', {
    ...identity,
    time_deleted: 'text?',
    project_id: 'text',
    size: 'bigint',
    block_size: 'int',
    disk_type: 'text',
    read_only: 'int',
    snapshot_id: 'text?',
    image_id: 'text?',
    state: 'text',
    instance_id: 'text?',
    slot: 'int?',
    importing: 'int',
    has_volume: 'int',
    generation: 'int',
    reconcile_at: 'text?',
  })
  await listed('disk', 'project_id')
  await index(db, 'disk_instance', 'disk', ['instance_id', 'name'], {
    where: 'instance_id is not null',
  })
  await index(db, 'disk_due', 'disk', ['reconcile_at'], { where: 'reconcile_at is not null' })
  await make('snapshot', {
    ...identity,
    time_deleted: 'text?',
    project_id: 'text',
    disk_id: 'text',
    size: 'bigint',
    block_size: 'int',
    state: 'text',
  })
  await listed('snapshot', 'project_id')
  await make('image', {
    ...identity,
    time_deleted: 'text?',
    silo_id: 'text',
    project_id: 'text?',
    os: 'text',
    version: 'text',
    size: 'bigint',
    block_size: 'int',
    snapshot_id: 'text?',
  })
  // Images of a silo and of a project are two lists with names of their own.
  for (const [scope, parent, where] of [
    ['project', 'project_id', `${live} and project_id is not null`],
    ['silo', 'silo_id', `${live} and project_id is null`],
  ] as const) {
    await index(db, `image_${scope}_name`, 'image', [parent, 'name'], { unique: true, where })
    await index(db, `image_${scope}_id`, 'image', [parent, 'id'], { where })
  }

  await make('network_interface', {
    ...identity,
    instance_id: 'text',
    vpc_id: 'text',
    subnet_id: 'text',
    mac: 'text',
    slot: 'int',
    is_primary: 'int',
    ipv4: 'text?',
    ipv6: 'text?',
    transit_ips_v4: 'text',
    transit_ips_v6: 'text',
  })
  await index(db, 'network_interface_name', 'network_interface', ['instance_id', 'name'], {
    unique: true,
  })
  await index(db, 'network_interface_ipv4', 'network_interface', ['subnet_id', 'ipv4'], {
    unique: true,
    where: 'ipv4 is not null',
  })
  await index(db, 'network_interface_ipv6', 'network_interface', ['subnet_id', 'ipv6'], {
    unique: true,
    where: 'ipv6 is not null',
  })
  await index(db, 'network_interface_mac', 'network_interface', ['vpc_id', 'mac'], { unique: true })

  await make('rack', { id: 'text', time_created: 'text', time_modified: 'text' })
  await make('sled', {
    id: 'text',
    rack_id: 'text',
    serial: 'text',
    part: 'text',
    revision: 'int',
    slot: 'int',
    usable_hardware_threads: 'int',
    usable_physical_ram: 'bigint',
    provision_policy: 'text',
    used_threads: 'int',
    used_ram: 'bigint',
    time_created: 'text',
    time_modified: 'text',
  })

  const sequence =
    dialect === 'postgres' ? 'bigserial primary key' : 'integer primary key autoincrement'
  const text = dialect === 'postgres' ? 'text collate "C"' : 'text'
  const columns = ['time', 'resource', 'action', 'resource_id', 'name'].map(
    (c) => `${c} ${text} not null`,
  )
  await sql
    .raw(
      `create table event (id ${sequence}, ${columns.join(', ')}, silo_id ${text}, project_id ${text})`,
    )
    .execute(db)
  await index(db, 'event_time', 'event', ['time'])

  await make('simulated_vm', { id: 'text', state: 'text' })
  await make('simulated_console', { vm_id: 'text', byte_offset: 'bigint', data: 'text' }, [
    'vm_id',
    'byte_offset',
  ])
  await make('simulated_volume', { id: 'text', size: 'bigint' })
}
