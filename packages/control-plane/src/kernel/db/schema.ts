/**
 * The tables, one interface each. Columns are what both databases have in common: text (ids, names,
 * RFC 3339 times, JSON), integers (bytes, counts, booleans as 0 and 1).
 *
 * `time_deleted` is null for live rows; names are unique among live rows only.
 */
import type { Wire } from '@steading/api'
import type {
  DiskStateName,
  FleetRole,
  InstanceState,
  JobAction,
  JobItemState,
  JobState,
  JobStep,
  JobTargetKind,
  JobThingKind,
  SiloRole,
  SnapshotStateName,
} from '@steading/api/rules'
import type { Generated } from 'kysely'

export type Flag = 0 | 1

interface Identity {
  id: string
  name: string
  description: string
  time_created: string
  time_modified: string
}
interface SoftDeleted {
  time_deleted: string | null
}

export interface SiloTable extends Identity, SoftDeleted {
  identity_mode: Wire.SiloIdentityMode
  discoverable: Flag
  admin_group_name: string | null
  /** JSON: silo role → fleet roles. */
  mapped_fleet_roles: string
  quota_cpus: number
  quota_memory: number
  quota_storage: number
  used_cpus: number
  used_memory: number
  used_storage: number
}

export interface SiloUserTable extends SoftDeleted {
  id: string
  silo_id: string
  external_id: string
  display_name: string
  /** PHC string; null if the user has no password. */
  password_hash: string | null
  time_created: string
  time_modified: string
}

export interface SiloGroupTable extends SoftDeleted {
  id: string
  silo_id: string
  display_name: string
  time_created: string
  time_modified: string
}

export interface SiloGroupMembershipTable {
  group_id: string
  user_id: string
}

export interface RoleAssignmentTable {
  resource_type: 'fleet' | 'silo' | 'project'
  resource_id: string
  identity_type: Wire.IdentityType
  identity_id: string
  role_name: FleetRole | SiloRole
}

export interface ConsoleSessionTable {
  id: string
  /** SHA-256 of the token, hex. */
  token_hash: string
  user_id: string
  time_created: string
  time_last_used: string
}

export interface SshKeyTable extends Identity, SoftDeleted {
  silo_user_id: string
  public_key: string
}

export interface ProjectTable extends Identity, SoftDeleted {
  silo_id: string
}

export interface VpcTable extends Identity, SoftDeleted {
  project_id: string
  system_router_id: string
  ipv6_prefix: string
  dns_name: string
  /** Virtual network identifier, 24 bits. */
  vni: number
}

export interface VpcRouterTable extends Identity, SoftDeleted {
  vpc_id: string
  kind: 'system' | 'custom'
}

export interface RouterRouteTable extends Identity, SoftDeleted {
  vpc_router_id: string
  kind: 'default' | 'vpc_subnet' | 'vpc_peering' | 'custom'
  /** JSON `{type, value}`. */
  target: string
  /** JSON `{type, value}`. */
  destination: string
}

export interface VpcSubnetTable extends Identity, SoftDeleted {
  vpc_id: string
  ipv4_block: string
  ipv6_block: string
  custom_router_id: string | null
}

export interface VpcFirewallRuleTable extends Identity, SoftDeleted {
  vpc_id: string
  status: 'enabled' | 'disabled'
  direction: 'inbound' | 'outbound'
  /** JSON list. */
  targets: string
  /** JSON `{hosts, protocols, ports}`. */
  filters: string
  action: 'allow' | 'deny'
  priority: number
}

export interface InternetGatewayTable extends Identity, SoftDeleted {
  vpc_id: string
}

export interface InternetGatewayIpPoolTable extends Identity, SoftDeleted {
  internet_gateway_id: string
  ip_pool_id: string
}

export interface IpPoolTable extends Identity, SoftDeleted {
  ip_version: Wire.IpVersion
  pool_type: Wire.IpPoolType
}

export interface IpPoolRangeTable {
  id: string
  ip_pool_id: string
  /** Fixed-width hex, so that text order is address order. */
  first_key: string
  last_key: string
  time_created: string
}

export interface IpPoolSiloLinkTable {
  ip_pool_id: string
  silo_id: string
  is_default: Flag
}

export interface ExternalIpTable {
  id: string
  kind: 'snat' | 'ephemeral' | 'floating'
  ip: string
  /** Fixed-width hex, so that text order is address order. */
  ip_key: string
  ip_pool_id: string
  project_id: string
  instance_id: string | null
  first_port: number
  last_port: number
  /** Floating addresses only. */
  name: string | null
  description: string | null
  time_created: string
  time_modified: string
}

/** Pools and subnets whose free addresses are known. */
export interface AddressSpaceTable {
  id: string
  /** The ranges that were looked at; if they are others now, it is done again. */
  ranges: string
}

/** Addresses that nothing uses, from the first to the last, as keys like `ip_key`. */
export interface FreeAddressTable {
  space_id: string
  first_key: string
  last_key: string
}

/** Blocks of ports that nothing uses, of addresses whose other blocks are used. */
export interface FreeSnatTable {
  ip_pool_id: string
  ip_key: string
  first_port: number
}

/** Rows that a reconciler brings to where they should be. */
export interface Reconciled {
  /** The alarm: when the row is due. Claiming the row takes it away; null means nothing to do. */
  reconcile_at: Generated<string | null>
  /**
   * The lease: until when the row is left to the step that claimed it, in milliseconds of the
   * database's clock. A lease that has run out makes the row due, because its step was cut off.
   */
  lease_until: Generated<number | null>
  /** Rises with every claim; a step that holds an older one has lost the row. */
  fence: Generated<number>
}

export interface InstanceTable extends Identity, SoftDeleted, Reconciled {
  project_id: string
  ncpus: number
  memory: number
  hostname: string
  user_data: string
  run_state: InstanceState
  time_run_state_updated: string
  boot_disk_id: string | null
  auto_restart_policy: Wire.InstanceAutoRestartPolicy | null
  time_last_auto_restarted: string | null
  cpu_platform: Wire.InstanceCpuPlatform | null
  enable_jumbo_frames: Flag
  /** Start as soon as it has been created. */
  start_wanted: Flag
  /** The virtual machine it runs as; null without one. Quota and a sled are held while it is set. */
  vm_id: string | null
  sled_id: string | null
  /** Counts reboots asked for, so that asking the engine twice reboots once. */
  reboot_count: number
  /** Rises with every write; a writer that saw an older one has lost. */
  generation: number
}

export interface InstanceSshKeyTable {
  instance_id: string
  ssh_key_id: string
}

export interface DiskTable extends Identity, SoftDeleted, Reconciled {
  project_id: string
  size: number
  block_size: Wire.BlockSize
  disk_type: Wire.DiskType
  read_only: Flag
  snapshot_id: string | null
  image_id: string | null
  state: DiskStateName
  /** Set in the states attaching, attached and detaching. */
  instance_id: string | null
  /** Order among the disks of the instance. */
  slot: number | null
  /** Made by block import: becomes ready for import instead of detached. */
  importing: Flag
  /** The engine holds the bytes of this disk; cleared when they are deleted. */
  has_volume: Flag
  generation: number
}

export interface SnapshotTable extends Identity, SoftDeleted, Reconciled {
  project_id: string
  disk_id: string
  size: number
  block_size: Wire.BlockSize
  state: SnapshotStateName
  /** The engine holds its bytes: until it is deleted, and no image is made of it any more. */
  has_volume: Generated<Flag>
}

export interface ImageTable extends Identity, SoftDeleted {
  silo_id: string
  /** Null for an image of the whole silo. */
  project_id: string | null
  os: string
  version: string
  size: number
  block_size: Wire.BlockSize
  /**
   * The snapshot it was made of, whose bytes it shares, and keeps when that is deleted. Null for an
   * image that has none: it reads as zeros.
   */
  snapshot_id: string | null
}

export interface NetworkInterfaceTable extends Identity {
  instance_id: string
  vpc_id: string
  subnet_id: string
  mac: string
  slot: number
  is_primary: Flag
  ipv4: string | null
  ipv6: string | null
  /** JSON list of networks. */
  transit_ips_v4: string
  transit_ips_v6: string
}

export interface AffinityGroupTable extends Identity, SoftDeleted {
  project_id: string
  kind: 'affinity' | 'anti_affinity'
  /** What happens when placement cannot satisfy it: start all the same, or not at all. */
  policy: Wire.AffinityPolicy
  failure_domain: Wire.FailureDomain
}

export interface AffinityGroupMemberTable {
  group_id: string
  instance_id: string
}

export interface RackTable {
  id: string
  time_created: string
  time_modified: string
}

export interface SledTable {
  id: string
  rack_id: string
  serial: string
  part: string
  revision: number
  slot: number
  usable_hardware_threads: number
  usable_physical_ram: number
  provision_policy: 'provisionable' | 'non_provisionable'
  used_threads: number
  used_ram: number
  time_created: string
  time_modified: string
}

export interface EventTable {
  id: Generated<number>
  /** Number of the transaction that wrote it, on PostgreSQL; 0 on SQLite. Events are in its order. */
  tx: Generated<number>
  time: string
  /** Name of the resource in paths and folders, e.g. `instances`. */
  resource: string
  action: 'create' | 'update' | 'delete'
  resource_id: string
  name: string
  silo_id: string | null
  project_id: string | null
  /** Set for what concerns nobody else. */
  user_id: string | null
}

export interface JobTable extends Reconciled {
  id: string
  user_id: string
  action: JobAction
  kind: JobTargetKind
  targets: number
  name: string | null
  project_id: string | null
  project_name: string | null
  state: JobState
  /** What its items are being prepared for, some at a time; null while it does its work. */
  intent: 'cancel' | 'retry' | null
  /** JSON: state → items; null while it runs, when they are counted. */
  counts: string | null
  /** When followers were last told of it, and whether something has happened since. */
  time_told: string
  untold: Flag
  time_created: string
  time_started: string | null
  time_finished: string | null
  time_deleted: string | null
}

export interface JobItemTable {
  job_id: string
  /** From zero, in the order of the stages. */
  position: number
  stage: number
  step: JobStep
  thing_kind: JobThingKind
  thing_id: string
  thing_name: string
  makes: string | null
  /** Position of the item that has to succeed before; if it does not, this one is spared. */
  needs_position: number | null
  /** Id of what it has made. */
  made_id: string | null
  state: JobItemState
  reason: string | null
  time_started: string | null
  time_finished: string | null
}

/** What one server at a time may do. */
export interface LeaseTable {
  /** Says what it is. */
  id: string
  /** Rises with every new holder. */
  token: number
  /** Milliseconds of the database's clock. */
  lease_until: number
}

/** A server that writes chunks of an import; the import ends once there is none. */
export interface ImportWriterTable {
  disk_id: string
  server: string
  /** Milliseconds of the database's clock; what a server that died leaves behind runs out. */
  lease_until: number
}

/** Volumes and snapshots whose bytes a block store has; written by `engines/volumes` only. */
export interface VolumeTable {
  id: string
  size: number
  is_snapshot: Flag
  /** It has been written to, or made of something that was; else it is all zeros. */
  has_bytes: Flag
}

/** A simulated machine; these tables are written by `engines/simulated` only. */
export interface SimulatedMachineTable {
  id: string
  sled_id: string
  /** JSON. */
  spec: string
  phase: string
  /** When the phase began; milliseconds. */
  since: number
  /** Reboots begun. */
  reboots: number
  /** Rises with every write; a writer that saw an older one has lost. */
  version: number
}
export interface SimulatedOutputTable {
  machine_id: string
  /** Reboots before this output. */
  boot: number
  /** Bytes since boot before this chunk. */
  byte_offset: number
  byte_length: number
  /** Base64. */
  data: string
}
/** Keys pressed at servers that do not drive the machine, for the one that does. */
export interface SimulatedInputTable {
  id: Generated<number>
  machine_id: string
  sled_id: string
  /** Base64; empty to say that the machine has changed. */
  data: string
}
/** How far the viewers at a server that does not drive the machine have come. */
export interface SimulatedViewerTable {
  machine_id: string
  server: string
  sled_id: string
  boot: number
  byte_offset: number
  /** Milliseconds of the database's clock. */
  lease_until: number
}

/** Facts about this installation, by key. */
export interface SettingTable {
  key: string
  value: string
}

export interface Database {
  silo: SiloTable
  silo_user: SiloUserTable
  silo_group: SiloGroupTable
  silo_group_membership: SiloGroupMembershipTable
  role_assignment: RoleAssignmentTable
  console_session: ConsoleSessionTable
  ssh_key: SshKeyTable
  project: ProjectTable
  vpc: VpcTable
  vpc_router: VpcRouterTable
  router_route: RouterRouteTable
  vpc_subnet: VpcSubnetTable
  vpc_firewall_rule: VpcFirewallRuleTable
  internet_gateway: InternetGatewayTable
  internet_gateway_ip_pool: InternetGatewayIpPoolTable
  ip_pool: IpPoolTable
  ip_pool_range: IpPoolRangeTable
  ip_pool_silo_link: IpPoolSiloLinkTable
  external_ip: ExternalIpTable
  address_space: AddressSpaceTable
  free_address: FreeAddressTable
  free_snat: FreeSnatTable
  instance: InstanceTable
  instance_ssh_key: InstanceSshKeyTable
  disk: DiskTable
  snapshot: SnapshotTable
  image: ImageTable
  network_interface: NetworkInterfaceTable
  affinity_group: AffinityGroupTable
  affinity_group_member: AffinityGroupMemberTable
  rack: RackTable
  sled: SledTable
  event: EventTable
  job: JobTable
  job_item: JobItemTable
  lease: LeaseTable
  import_writer: ImportWriterTable
  volume: VolumeTable
  simulated_machine: SimulatedMachineTable
  simulated_output: SimulatedOutputTable
  simulated_input: SimulatedInputTable
  simulated_viewer: SimulatedViewerTable
  setting: SettingTable
}
