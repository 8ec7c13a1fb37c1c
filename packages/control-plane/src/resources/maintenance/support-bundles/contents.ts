/**
 * The contents of a support bundle: facts for troubleshooting that operators may see. Secrets and
 * the data of tenants are left out. So are the names that tenants gave, except where the audit log
 * has them in addresses and messages: tenants' resources appear with ids and states.
 */
import { API_VERSION } from '@steading/api/rules'
import packageJson from '../../../../package.json' with { type: 'json' }
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'
import { configuredPeers } from '../../system-networking/bgp/peers.ts'
import { isEnabled } from '../../system-networking/networking-settings/settings.ts'
import { redacted } from './redact.ts'
import { readRows, type Rows, rowsIn } from './rows.ts'
import { databaseStatistics, migrationsOf } from './statistics.ts'

/** Hours of the audit log. */
const AUDIT_HOURS = 24
/** Limit of entries and events, the newest first. */
const NEWEST = 10_000

const reconciled = ['reconcile_at', 'lease_until', 'fence'] as const
const live = 'time_deleted is null'

/** Name of a file → its rows. */
const tables: Record<string, Rows> = {
  'configuration/silos.json': rowsIn({
    table: 'silo',
    where: live,
    columns: [
      'id',
      'name',
      'identity_mode',
      'discoverable',
      'admin_group_name',
      'mapped_fleet_roles',
      'quota_cpus',
      'quota_memory',
      'quota_storage',
      'used_cpus',
      'used_memory',
      'used_storage',
      'device_token_max_ttl_seconds',
      'time_created',
    ],
  }),
  'configuration/identity-providers.json': rowsIn({
    table: 'saml_identity_provider',
    where: live,
    columns: ['id', 'silo_id', 'name', 'idp_entity_id', 'sp_client_id', 'acs_url', 'time_created'],
  }),
  'configuration/oidc-identity-providers.json': rowsIn({
    table: 'oidc_identity_provider',
    where: live,
    columns: ['id', 'silo_id', 'name', 'issuer', 'client_id', 'redirect_uri', 'time_created'],
  }),
  'configuration/certificates.json': rowsIn({
    table: 'certificate',
    columns: ['id', 'silo_id', 'name', 'service', 'names', 'time_starts', 'time_ends'],
  }),
  'configuration/fleet-roles.json': rowsIn({
    table: 'role_assignment',
    where: `resource_type = 'fleet'`,
    columns: ['identity_type', 'identity_id', 'role_name'],
    order: ['identity_id', 'role_name'],
  }),
  'configuration/ip-pools.json': rowsIn({
    table: 'ip_pool',
    where: live,
    columns: ['id', 'name', 'ip_version', 'pool_type', 'assignment', 'allocated', 'time_created'],
  }),
  'configuration/ip-pool-ranges.json': rowsIn({
    table: 'ip_pool_range',
    columns: ['id', 'ip_pool_id', 'first_key', 'last_key', 'time_created'],
  }),
  'configuration/ip-pool-silos.json': rowsIn({
    table: 'ip_pool_silo_link',
    columns: ['ip_pool_id', 'silo_id', 'is_default'],
    order: ['ip_pool_id', 'silo_id'],
  }),
  'configuration/subnet-pools.json': rowsIn({
    table: 'subnet_pool',
    where: live,
    columns: ['id', 'name', 'ip_version', 'time_created'],
  }),
  'configuration/subnet-pool-members.json': rowsIn({
    table: 'subnet_pool_member',
    columns: ['id', 'subnet_pool_id', 'subnet', 'min_prefix_length', 'max_prefix_length'],
  }),
  'configuration/subnet-pool-silos.json': rowsIn({
    table: 'subnet_pool_silo_link',
    columns: ['subnet_pool_id', 'silo_id', 'is_default'],
    order: ['subnet_pool_id', 'silo_id'],
  }),
  'uplinks/address-lots.json': rowsIn({
    table: 'address_lot',
    where: live,
    columns: ['id', 'name', 'kind', 'time_created'],
  }),
  'uplinks/address-lot-blocks.json': rowsIn({
    table: 'address_lot_block',
    columns: ['id', 'address_lot_id', 'first_address', 'last_address'],
  }),
  'uplinks/reserved-addresses.json': rowsIn({
    table: 'reserved_address',
    columns: ['id', 'address_lot_block_id', 'address', 'anycast', 'holder', 'holder_id'],
  }),
  'uplinks/loopback-addresses.json': rowsIn({
    table: 'loopback_address',
    columns: ['id', 'rack_id', 'switch_slot', 'address', 'address_lot_block_id', 'anycast'],
  }),
  'uplinks/switch-ports.json': rowsIn({
    table: 'switch_port',
    columns: ['id', 'rack_id', 'switch_slot', 'port_name', 'port_settings_id', 'time_applied'],
  }),
  // The secrets of port settings belong to their peers, which are in another table.
  'uplinks/switch-port-settings.json': rowsIn({
    table: 'switch_port_settings',
    where: live,
    columns: ['id', 'name', 'geometry', 'use', 'document', 'time_created', 'time_modified'],
  }),
  'uplinks/bgp-configs.json': rowsIn({
    table: 'bgp_config',
    where: live,
    columns: ['id', 'name', 'asn', 'bgp_announce_set_id', 'vrf', 'max_paths'],
  }),
  'uplinks/bgp-announcements.json': rowsIn({
    table: 'bgp_announcement',
    columns: ['announce_set_id', 'address_lot_block_id', 'network'],
    order: ['announce_set_id', 'network'],
  }),
  'uplinks/bfd-sessions.json': rowsIn({
    table: 'bfd_session',
    columns: [
      'id',
      'switch_slot',
      'remote',
      'local',
      'detection_threshold',
      'required_rx',
      'mode',
      'time_created',
    ],
  }),
  'inventory/racks.json': rowsIn({
    table: 'rack',
    columns: ['id', 'time_created', 'time_modified', ...reconciled],
  }),
  'inventory/rack-memberships.json': rowsIn({
    table: 'rack_membership',
    columns: ['rack_id', 'version', 'state', 'time_created', 'time_committed', 'time_aborted'],
    order: ['rack_id', 'version'],
  }),
  'inventory/sleds.json': rowsIn({
    table: 'sled',
    columns: [
      'id',
      'rack_id',
      'name',
      'part',
      'revision',
      'slot',
      'cpu_platform',
      'usable_hardware_threads',
      'usable_physical_ram',
      'policy',
      'provision_policy',
      'state',
      'responding',
      'used_threads',
      'used_ram',
      'time_created',
      'time_modified',
    ],
  }),
  'inventory/physical-disks.json': rowsIn({
    table: 'physical_disk',
    columns: [
      'id',
      'sled_id',
      'name',
      'vendor',
      'model',
      'form_factor',
      'slot',
      'size',
      'used',
      'policy',
      'state',
      'healthy',
      'time_created',
      'time_modified',
    ],
  }),
  'inventory/disk-adoption-requests.json': rowsIn({
    table: 'disk_adoption_request',
    columns: ['id', 'vendor', 'model', 'serial', 'time_created'],
  }),
  'inventory/switches.json': rowsIn({
    table: 'rack_switch',
    columns: ['id', 'rack_id', 'slot', 'name', 'part', 'revision', 'time_created'],
  }),
  'updates/repositories.json': rowsIn({
    table: 'update_repository',
    columns: ['id', 'name', 'hash', 'file_name', 'size', 'time_created', 'time_pruned'],
  }),
  'updates/state.json': rowsIn({
    table: 'system_update',
    columns: [
      'id',
      'seen',
      'state',
      'repository_id',
      'version',
      'time_requested',
      'previous_repository_id',
      'time_last_step',
      'problem',
      'time_problem',
      'generation',
      ...reconciled,
    ],
  }),
  'state/instances.json': rowsIn({
    table: 'instance',
    columns: [
      'id',
      'project_id',
      'run_state',
      'time_run_state_updated',
      'start_wanted',
      'ncpus',
      'memory',
      'sled_id',
      'vm_id',
      'last_vm_id',
      'migration_id',
      'failure',
      'restart_problem',
      'auto_restart_policy',
      'time_last_auto_restarted',
      'reboot_count',
      'generation',
      'time_created',
      'time_deleted',
      ...reconciled,
    ],
  }),
  'state/disks.json': rowsIn({
    table: 'disk',
    columns: [
      'id',
      'project_id',
      'state',
      'size',
      'block_size',
      'disk_type',
      'instance_id',
      'importing',
      'has_volume',
      'generation',
      'time_created',
      'time_deleted',
      ...reconciled,
    ],
  }),
  'state/snapshots.json': rowsIn({
    table: 'snapshot',
    columns: [
      'id',
      'project_id',
      'disk_id',
      'state',
      'size',
      'has_volume',
      'time_created',
      'time_deleted',
      ...reconciled,
    ],
  }),
  'state/multicast-groups.json': rowsIn({
    table: 'multicast_group',
    columns: ['id', 'multicast_ip', 'ip_pool_id', 'state', 'generation', ...reconciled],
  }),
  'state/jobs.json': rowsIn({
    table: 'job',
    columns: [
      'id',
      'action',
      'kind',
      'targets',
      'state',
      'intent',
      'counts',
      'time_created',
      'time_started',
      'time_finished',
      ...reconciled,
    ],
  }),
  'state/alerts.json': rowsIn({
    table: 'alert',
    columns: ['time_created', 'id', 'name', 'version', 'payload'],
    order: ['time_created', 'id'],
    newest: NEWEST,
  }),
  // The addresses of receivers are often secrets themselves.
  'state/alert-receivers.json': rowsIn({
    table: 'alert_receiver',
    where: live,
    columns: ['id', 'name', 'time_created', 'time_modified', ...reconciled],
  }),
  'state/alert-deliveries.json': rowsIn({
    table: 'alert_delivery',
    columns: [
      'time_started',
      'id',
      'receiver_id',
      'alert_id',
      'trigger',
      'state',
      'time_next_attempt',
      'attempts',
    ],
    order: ['time_started', 'id'],
    newest: NEWEST,
  }),
  'state/support-bundles.json': rowsIn({
    table: 'support_bundle',
    columns: ['id', 'state', 'reason_for_failure', 'size', 'time_created', ...reconciled],
  }),
  'state/leases.json': rowsIn({ table: 'lease', columns: ['id', 'token', 'lease_until'] }),
  'state/events.json': rowsIn({
    table: 'event',
    columns: ['id', 'tx', 'time', 'resource', 'action', 'resource_id', 'silo_id', 'project_id'],
    newest: NEWEST,
  }),
}

const auditRows = (now: Date): Rows => {
  const since = new Date(now.getTime() - AUDIT_HOURS * 3_600_000).toISOString()
  return rowsIn({
    table: 'audit_log',
    where: `time_completed >= '${since}'`,
    columns: [
      'time_completed',
      'id',
      'time_started',
      'request_id',
      'operation_id',
      'source_ip',
      'auth_method',
      'actor_kind',
      'actor_id',
      'actor_silo_id',
      'silo_id',
      'project_id',
      'target_kind',
      'target_id',
      'result',
      'status',
      'error_code',
    ],
    order: ['time_completed', 'id'],
    newest: NEWEST,
  })
}

/** A file of a bundle. */
export interface BundleFile {
  name: string
  contents: AsyncGenerator<Uint8Array>
}

const encoder = new TextEncoder()

async function* textFile(text: string): AsyncGenerator<Uint8Array> {
  yield encoder.encode(text)
}

async function* jsonFile(read: () => unknown): AsyncGenerator<Uint8Array> {
  yield encoder.encode(`${JSON.stringify(await read(), null, 2)}\n`)
}

/** An array with a row in each line. */
async function* rowsFile({ db }: OpenDatabase, rows: Rows): AsyncGenerator<Uint8Array> {
  let before = '['
  for await (const some of readRows(db, rows)) {
    let text = ''
    for (const row of some) {
      text += `${before}\n${JSON.stringify(row)}`
      before = ','
    }
    yield encoder.encode(text)
  }
  yield encoder.encode(before === '[' ? '[]\n' : '\n]\n')
}

/** The files of a bundle besides its manifest, one after the other. */
export async function* bundleFiles(
  services: ControlPlaneServices,
  now: Date,
): AsyncGenerator<BundleFile> {
  const { database, diagnostics, hardware, hosts, uplinks, settings } = services
  const { db } = database
  const json = (name: string, read: () => unknown): BundleFile => ({
    name,
    contents: jsonFile(read),
  })
  yield json('versions.json', () => ({
    product: packageJson.version,
    api: API_VERSION,
    ...diagnostics?.versions(),
  }))
  yield json('configuration/server.json', () => ({
    engine: services.engine.name,
    extensions: settings.extensions,
    multicast: settings.multicast,
    external_zones: settings.externalZones,
    ...diagnostics?.configuration(),
  }))
  yield json('configuration/networking.json', async () => ({
    inbound_icmp: await isEnabled(db, 'inbound_icmp'),
    external_jumbo_frames: await isEnabled(db, 'external_jumbo_frames'),
  }))
  if (diagnostics) yield json('state/server.json', () => diagnostics.status())
  yield json('database/statistics.json', () => databaseStatistics(database))
  yield json('database/migrations.json', () => migrationsOf(db))
  yield json('inventory/seen.json', () => hardware.inventory())
  if (hosts) yield json('inventory/host.json', () => hosts.summary())
  if (uplinks) {
    const peers = await configuredPeers(db)
    yield json('uplinks/bgp-peers.json', () => uplinks.peers(peers))
    yield json('uplinks/bgp-exported.json', () => uplinks.exported(peers))
    yield json('uplinks/bgp-imported.json', () => uplinks.imported(peers))
  }
  for (const [name, rows] of Object.entries(tables)) {
    yield { name, contents: rowsFile(database, rows) }
  }
  yield { name: 'audit-log.json', contents: rowsFile(database, auditRows(now)) }
  for (const logs of [diagnostics?.log(), hosts?.logs()]) {
    if (!logs) continue
    for await (const { name, text } of logs) {
      yield { name: `log/${name}`, contents: textFile(redacted(text)) }
    }
  }
}
