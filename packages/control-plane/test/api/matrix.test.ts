/**
 * The permission matrix (control plane specification 3.2): every operation of the table, called
 * over HTTP by every kind of caller. The permitted callers are compared with the specification,
 * read by hand; the refusals with the table of permissions.
 */
import { once } from 'node:events'
import { request } from 'node:http'
import { type OperationId, operationTable } from '@steading/api'
import {
  access,
  type Action,
  expandRoles,
  type HeldGrants,
  operationProblem,
  type FleetRole,
  kindTable,
  permits,
  type KindName,
  type SiloRole,
  mainKinds,
} from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CallArgs, type Caller, locationOf } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { probes } from '../support/probes/index.ts'
import type { Probe } from '../support/probes/probe.ts'
import { callerOf, createWorld, PROJECT, type Role, roles } from '../support/probes/world.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ multicast: true })
  await createWorld(server)
})
afterAll(() => server.close())

const starting = (prefix: string): Role[] => roles.filter((role) => role.startsWith(prefix))
const signedIn = roles.filter((role) => role !== 'nobody' && role !== 'SCIM token')

/** The rows of section 3.2, transposed: the callers permitted for each operation. */
const specification: [allowed: readonly Role[], calls: string[]][] = [
  [
    roles,
    [
      'ping',
      'login_local',
      'login_saml',
      'login_saml_redirect',
      'logout',
      'sign_in_page_view',
      'device_auth_request',
      'device_access_token',
      'capabilities_view',
      'openapi_view',
      'health_view',
      'health_live_view',
      'health_ready_view',
    ],
  ],
  [
    signedIn,
    [
      'current_user_view',
      'current_user_groups',
      'current_user_ssh_key_list',
      'current_user_ssh_key_search',
      'current_user_ssh_key_create',
      'current_user_ssh_key_view',
      'current_user_ssh_key_delete',
      'event_stream',
      'device_auth_confirm',
      'current_user_access_token_list',
      'current_user_access_token_delete',
      'current_user_session_list',
      'current_user_session_delete',
      'current_user_session_delete_others',
      'current_user_password_view',
      'current_user_password_update',
      // About one's own silo.
      'policy_view',
      'identity_list',
      'access_list about the silo',
      'user_list',
      'group_list',
      'group_details_list',
      'utilization_view',
      'utilization_forecast',
      'silo_metric of the silo',
      'auth_settings_view',
      // Groups belong to no silo.
      'multicast_group_list',
      'multicast_group_search',
      'multicast_group_view',
      'multicast_group_member_list',
      'multicast_group_member_details_list',
      // One's own.
      'certificate_ending_list',
      'find',
      'history_list',
      'firing_alert_list',
      'star_list',
      'star_create',
      'star_delete',
      'view_list of the caller',
      'view_create for the caller',
      'dashboard_list of the caller',
      'dashboard_create for the caller',
      'job_create',
      'job_list',
      'job_view',
      'job_item_list',
      'job_start',
      'job_cancel',
      'job_retry',
      'job_delete',
      'image_catalog_view',
    ],
  ],
  [
    // All users of the silo.
    signedIn.filter((role) => role !== 'other silo'),
    [
      'user_view',
      'group_view',
      'dashboard_view of the silo',
      'group_details_view',
      'ip_pool_view',
      'subnet_pool_view',
      'silo_view by name',
      'silo_view by id',
      'silo_policy_view',
      'silo_quotas_view',
      'silo_utilization_view',
      'silo_forecast',
      'silo_identity_provider_list',
      'user_access_view in the silo',
      'silo_user_list',
      'silo_user_view',
      'user_group_list',
      'user_ssh_key_list',
    ],
  ],
  [
    [...starting('fleet'), ...starting('silo')],
    ['saml_identity_provider_view', 'saml_sign_in_settings_view', 'saml_service_metadata'],
  ],
  [
    starting('fleet'),
    [
      'system_policy_view',
      'access_list about the fleet',
      'silo_list',
      'silo_search',
      'system_quotas_list',
      'silo_utilization_list',
      'system_forecast',
      'system_timeseries_schema_list',
      'system_metric of the fleet',
      'system_metric of a silo',
      'system_timeseries_query',
      'dashboard_list of the system',
      'dashboard_create of the system',
      'system_alert_rule_search',
      'system_alert_rule_try',
      'system_alert_rule_view',
      'system_alert_rule_series_list',
      'system_alert_rule_firing_list',
      'audit_log_list',
      'user_builtin_list',
      'user_builtin_view',
      'role_list',
      'role_view',
      'system_ip_pool_list',
      'system_ip_pool_search',
      'system_ip_pool_deletion',
      'system_ip_pool_view',
      'system_ip_pool_range_list',
      'system_ip_pool_silo_list',
      'system_ip_pool_utilization_view',
      'system_ip_pool_forecast',
      'system_ip_pool_address_list',
      'silo_ip_pool_list',
      'system_subnet_pool_list',
      'system_subnet_pool_search',
      'system_subnet_pool_deletion',
      'system_subnet_pool_view',
      'system_subnet_pool_member_list',
      'system_subnet_pool_silo_list',
      'system_subnet_pool_utilization_view',
      'system_subnet_pool_forecast',
      'silo_subnet_pool_list',
      'issue_list',
      'alert_class_list',
      'alert_list',
      'alert_search',
      'alert_view',
      'alert_receiver_list',
      'alert_receiver_search',
      'alert_receiver_view',
      'alert_delivery_list',
      'alert_delivery_search',
      'support_bundle_list',
      'support_bundle_search',
      'support_bundle_view',
      'support_bundle_index',
      'support_bundle_download',
      'support_bundle_head',
      'support_bundle_download_file',
      'support_bundle_head_file',
      'support_bundle_list_experimental',
      'support_bundle_view_experimental',
      'support_bundle_index_experimental',
      'support_bundle_download_experimental',
      'support_bundle_head_experimental',
      'support_bundle_download_file_experimental',
      'support_bundle_head_file_experimental',
      'webhook_secrets_list',
      'ip_pool_service_view',
      'ip_pool_service_range_list',
      'rack_list',
      'rack_view',
      'switch_list',
      'switch_details_list',
      'switch_view',
      'sled_list',
      'sled_search',
      'sled_view',
      'sled_details_view',
      'sled_host_view',
      'sled_instance_list',
      'sled_physical_disk_list',
      'physical_disk_list',
      'physical_disk_search',
      'physical_disk_view',
      'system_update_trust_root_list',
      'system_update_trust_root_view',
      'system_update_repository_list',
      'system_update_repository_view',
      'update_upload_list',
      'system_update_status',
      'target_release_view',
      'update_rollout_view',
      'update_preview',
      'update_upload_view',
      'networking_address_lot_list',
      'networking_address_lot_search',
      'networking_address_lot_view',
      'networking_address_lot_block_list',
      'networking_address_lot_use_list',
      'networking_loopback_address_list',
      'networking_loopback_address_detail_list',
      'networking_bgp_config_list',
      'networking_bgp_config_search',
      'networking_bgp_config_view',
      'networking_bgp_announce_set_list',
      'networking_bgp_announce_set_search',
      'networking_bgp_announce_set_view',
      'networking_bgp_announcement_list',
      'networking_bgp_status',
      'networking_bgp_exported',
      'networking_bgp_imported',
      'networking_bgp_imported_routes_ipv4',
      'networking_bgp_message_history',
      'networking_bfd_status',
      'networking_inbound_icmp_view',
      'system_networking_settings_view',
      'system_health_view',
      'server_metrics_view',
      'networking_allow_list_view',
      'networking_switch_port_list',
      'networking_switch_port_search',
      'networking_switch_port_view',
      'networking_switch_port_status',
      'networking_switch_port_lldp_config_view',
      'networking_switch_port_lldp_neighbors',
      'networking_switch_port_settings_list',
      'networking_switch_port_settings_search',
      'networking_switch_port_settings_view',
      'networking_switch_port_settings_details',
      'rack_membership_status',
      'sled_list_uninitialized',
      'sled_expunge_preview',
      'disk_replica_summary',
      'physical_disk_list_unadopted',
      'physical_disk_list_adoption_requests',
    ],
  ],
  [
    ['fleet.admin', 'silo.admin'],
    [
      'local_idp_user_create',
      'local_idp_user_delete',
      'local_idp_user_set_password',
      'user_details_list',
      'user_details_view',
      'access_preview of a user',
    ],
  ],
  [
    [...starting('fleet'), 'silo.admin'],
    ['audit_entry_list', 'audit_entry_view', 'audit_log_export'],
  ],
  [
    ['fleet.admin'],
    [
      'rack_membership_add_sleds',
      'rack_membership_abort',
      'sled_add',
      'sled_set_provision_policy',
      'sled_expunge',
      'physical_disk_expunge',
      'physical_disk_enable_adoption',
      'physical_disk_disable_adoption',
      'simulated_sled_set_power',
      'simulated_sled_recover',
      'simulated_sled_insert',
      'simulation_view',
      'simulated_power_supply_update',
      'simulated_uplink_update',
      'simulated_disk_set_health',
      'simulated_disk_replace',
      'system_policy_update',
      'access_preview of the fleet',
      'silo_create with fleet roles',
      'system_ip_pool_create',
      'system_ip_pool_update',
      'system_ip_pool_delete',
      'system_ip_pool_assign',
      'system_ip_pool_range_add',
      'system_ip_pool_range_remove',
      'system_ip_pool_silo_link',
      'system_ip_pool_silo_update',
      'system_ip_pool_silo_unlink',
      'system_subnet_pool_create',
      'system_subnet_pool_update',
      'system_subnet_pool_delete',
      'system_subnet_pool_member_add',
      'system_subnet_pool_member_remove',
      'system_subnet_pool_silo_link',
      'system_subnet_pool_silo_update',
      'system_subnet_pool_silo_unlink',
      'alert_delivery_resend',
      'alert_receiver_delete',
      'alert_receiver_subscription_add',
      'alert_receiver_subscription_remove',
      'alert_receiver_probe',
      'system_alert_rule_create',
      'system_alert_rule_update',
      'system_alert_rule_delete',
      'support_bundle_create',
      'support_bundle_update',
      'support_bundle_delete',
      'support_bundle_create_experimental',
      'support_bundle_update_experimental',
      'support_bundle_delete_experimental',
      'webhook_receiver_create',
      'webhook_receiver_update',
      'webhook_secrets_add',
      'webhook_secrets_delete',
      'ip_pool_service_range_add',
      'ip_pool_service_range_remove',
      'system_update_trust_root_create',
      'system_update_trust_root_delete',
      'system_update_repository_upload',
      'update_upload_create',
      'target_release_update',
      'system_update_recovery_finish',
      'update_upload_write',
      'update_upload_finish',
      'update_upload_delete',
      'networking_address_lot_create',
      'networking_address_lot_delete',
      'networking_loopback_address_create',
      'networking_loopback_address_delete',
      'networking_bgp_config_create',
      'networking_bgp_config_update',
      'networking_bgp_config_delete',
      'networking_bgp_announce_set_update',
      'networking_bgp_announce_set_delete',
      'networking_bfd_enable',
      'networking_bfd_disable',
      'networking_inbound_icmp_update',
      'image_catalog_update',
      'system_networking_settings_update',
      'networking_allow_list_update',
      'networking_switch_port_apply_settings',
      'networking_switch_port_clear_settings',
      'networking_switch_port_lldp_config_update',
      'networking_switch_port_settings_create',
      'networking_switch_port_settings_delete',
    ],
  ],
  [
    // Not a user at all.
    ['SCIM token'],
    [
      'scim_user_list',
      'scim_user_search',
      'scim_group_search',
      'scim_user_create',
      'scim_user_view',
      'scim_user_replace',
      'scim_user_update',
      'scim_user_delete',
      'scim_group_list',
      'scim_group_create',
      'scim_group_view',
      'scim_group_replace',
      'scim_group_update',
      'scim_group_delete',
      'scim_config_view',
      'scim_resource_type_list',
      'scim_resource_type_view',
      'scim_schema_list',
      'scim_schema_view',
    ],
  ],
  // Not by the admins of the silo.
  [
    ['fleet.admin', 'fleet.collaborator'],
    ['silo_create plain', 'silo_quotas_update'],
  ],
  [
    ['fleet.admin', 'silo.admin'],
    [
      'certificate_list',
      'certificate_create',
      'certificate_view',
      'certificate_delete',
      'saml_identity_provider_create',
      'saml_sign_in_settings_update',
      'scim_token_list',
      'scim_token_create',
      'scim_token_view',
      'scim_token_delete',
    ],
  ],
  [
    ['fleet.admin', 'fleet.collaborator', 'silo.admin'],
    [
      'policy_update',
      'silo_policy_update',
      'access_preview of the silo',
      'silo_delete',
      'auth_settings_update',
    ],
  ],
  // About another user; all users may do these about themselves.
  [
    ['silo.admin'],
    ['access_preview of a group', 'user_token_list', 'user_session_list', 'user_logout'],
  ],
  [['silo.admin'], ['group_delete', 'group_members_update']],
  // The admin of another silo creates it there.
  [['silo.admin'], ['group_create']],
  [['silo.admin', 'silo.collaborator'], ['project_create']],
  [
    starting('silo'),
    [
      'project_list',
      'project_search',
      'ip_pool_list',
      'subnet_pool_list',
      'image_list of the silo',
      'image_search of the silo',
      'image_view of the silo',
      'image_deletion of the silo',
    ],
  ],
  [
    // Images of the silo require the same role as computing resources, but on the silo; such a role
    // also gives the permissions they need on the project.
    starting('silo').filter((role) => role !== 'silo.viewer'),
    [
      'image_create in the silo',
      'image_delete of the silo',
      'image_promote',
      'image_demote',
      'image_download_create in the silo',
    ],
  ],
  [
    ['silo.admin', 'silo.collaborator'],
    [
      'dashboard_create in the silo',
      'dashboard_update of the silo',
      'dashboard_delete of the silo',
    ],
  ],
  [
    // Silo collaborators are admins of every project.
    ['silo.admin', 'silo.collaborator', 'project.admin'],
    ['project_update', 'project_delete', 'project_policy_update', 'access_preview of a project'],
  ],
  [
    [...starting('silo'), ...starting('project')],
    [
      'project_view by name',
      'project_view by id',
      'project_policy_view',
      'access_list about a project',
      'silo_metric of a project',
      'user_access_view in a project',
      'project_deletion',
      'view_list of a project',
      'dashboard_list of a project',
      'dashboard_view of a project',
      'instance_deletion',
      'instance_failure',
      'simulated_instance_load_view',
      'disk_deletion',
      'snapshot_deletion',
      'image_deletion of a project',
      'instance_list',
      'instance_search',
      'instance_view by name',
      'instance_view by id',
      'instance_disk_list',
      'instance_external_ip_list',
      'instance_affinity_group_list',
      'instance_multicast_group_list',
      'instance_anti_affinity_group_list',
      'instance_ssh_public_key_list',
      'instance_serial_console',
      'serial_console_log',
      'instance_screenshot',
      'instance_network_interface_list by name',
      'instance_network_interface_list by id',
      'instance_network_interface_view by name',
      'instance_network_interface_view by id',
      'disk_list',
      'disk_search',
      'disk_view by name',
      'disk_view by id',
      'disk_metrics_list',
      'disk_import_view',
      'disk_contents',
      'disk_checksum',
      'snapshot_list',
      'snapshot_search',
      'snapshot_view by name',
      'snapshot_view by id',
      'snapshot_details_view',
      'snapshot_contents',
      'image_list of a project',
      'image_download_list',
      'image_download_view',
      'image_search of a project',
      'image_view of a project',
      'timeseries_query',
      'alert_rule_search',
      'alert_rule_try',
      'alert_rule_view',
      'alert_rule_series_list',
      'alert_rule_firing_list',
      'reachability_test between instances',
      'reachability_test by names',
      'reachability_changes of rules',
      'reachability_changes of a route',
      'reachability_changes of a subnet',
      'reachability_changes of an interface',
      'reachability_changes of a floating IP',
      'reachability_changes of an external subnet',
      'reachability_changes of a gateway',
      'reachability_changes of a pool of a gateway',
      'instance_firewall_rules_view',
      'instance_network_view',
      'vpc_network_view by name',
      'vpc_network_view by id',
      'project_network_view',
      'vpc_list',
      'vpc_search',
      'vpc_deletion',
      'vpc_view by name',
      'vpc_view by id',
      'vpc_subnet_list by name',
      'vpc_subnet_search',
      'vpc_subnet_deletion',
      'vpc_subnet_list_network_interfaces',
      'vpc_subnet_list by id',
      'vpc_subnet_view by name',
      'vpc_subnet_view by id',
      'vpc_firewall_rules_view by name',
      'vpc_firewall_rules_view by id',
      'vpc_router_list',
      'vpc_router_search',
      'vpc_router_view by name',
      'vpc_router_view by id',
      'vpc_router_deletion',
      'vpc_router_route_list by name',
      'vpc_router_route_list by id',
      'vpc_router_route_search',
      'vpc_router_route_view by name',
      'vpc_router_route_view by id',
      'internet_gateway_list',
      'internet_gateway_search',
      'internet_gateway_view by name',
      'internet_gateway_view by id',
      'internet_gateway_deletion',
      'internet_gateway_ip_pool_list by name',
      'internet_gateway_ip_pool_list by id',
      'internet_gateway_ip_address_list',
      'floating_ip_list',
      'floating_ip_search',
      'floating_ip_view by name',
      'floating_ip_view by id',
      'external_subnet_list',
      'external_subnet_search',
      'external_subnet_view by name',
      'external_subnet_view by id',
      'instance_external_subnet_list',
      'probe_list',
      'probe_search',
      'probe_view by name',
      'probe_view by id',
      'affinity_group_list',
      'affinity_group_search',
      'affinity_group_view',
      'affinity_group_member_list',
      'affinity_group_member_instance_view',
      'anti_affinity_group_list',
      'anti_affinity_group_search',
      'anti_affinity_group_view',
      'anti_affinity_group_member_list',
      'anti_affinity_group_member_instance_view',
    ],
  ],
  [
    [...starting('silo'), ...starting('project')].filter((role) => !role.endsWith('viewer')),
    [
      'instance_create',
      'instance_update',
      'instance_delete',
      'instance_start',
      'instance_stop',
      'instance_reboot',
      'simulated_instance_set_load',
      'instance_disk_attach',
      'instance_disk_detach',
      // Reading the output requires less than writing.
      'instance_serial_console_stream',
      'serial_console_follow',
      'instance_display',
      'instance_ephemeral_ip_attach',
      'instance_multicast_group_join',
      'instance_multicast_group_leave',
      'instance_ephemeral_ip_detach',
      'instance_network_interface_create',
      'instance_network_interface_update',
      'instance_network_interface_delete',
      'view_create in a project',
      'view_update',
      'view_delete',
      'dashboard_create in a project',
      'dashboard_update of a project',
      'dashboard_delete of a project',
      'disk_create',
      'disk_delete',
      'disk_bulk_write_import_start',
      'disk_bulk_write_import',
      'disk_contents_write',
      'disk_bulk_write_import_stop',
      'disk_finalize_import',
      'snapshot_create',
      'snapshot_delete',
      'image_create in a project',
      'image_download_create in a project',
      'image_download_cancel',
      'image_download_retry',
      'image_download_delete',
      'image_delete of a project',
      'floating_ip_create',
      'floating_ip_update',
      'floating_ip_delete',
      'floating_ip_attach',
      'floating_ip_detach',
      'external_subnet_create',
      'external_subnet_update',
      'external_subnet_delete',
      'external_subnet_attach',
      'external_subnet_detach',
      'probe_create',
      'probe_delete',
      'alert_rule_create',
      'alert_rule_update',
      'alert_rule_delete',
      'affinity_group_create',
      'affinity_group_update',
      'affinity_group_delete',
      'affinity_group_member_instance_add',
      'affinity_group_member_instance_delete',
      'anti_affinity_group_create',
      'anti_affinity_group_update',
      'anti_affinity_group_delete',
      'anti_affinity_group_member_instance_add',
      'anti_affinity_group_member_instance_delete',
    ],
  ],
  [
    // Networks require more than computing resources do.
    ['silo.admin', 'silo.collaborator', 'project.admin', 'project.collaborator'],
    [
      'vpc_create',
      'vpc_update',
      'vpc_delete',
      'vpc_subnet_create',
      'vpc_subnet_update',
      'vpc_subnet_delete',
      'vpc_firewall_rules_update',
      'vpc_router_create',
      'vpc_router_update',
      'vpc_router_delete',
      'vpc_router_route_create',
      'vpc_router_route_update',
      'vpc_router_route_delete',
      'internet_gateway_create',
      'internet_gateway_delete',
      'internet_gateway_ip_pool_create',
      'internet_gateway_ip_pool_delete',
      'internet_gateway_ip_address_create',
      'internet_gateway_ip_address_delete',
    ],
  ],
]

const cases = (Object.entries(probes) as [OperationId, Probe | Record<string, Probe>][]).flatMap(
  ([id, probe]): [string, OperationId, Probe][] =>
    typeof probe.args === 'function'
      ? [[id, id, probe as Probe]]
      : Object.entries(probe as Record<string, Probe>).map(([how, one]) => [
          `${id} ${how}`,
          id,
          one,
        ]),
)

/** Things that all callers may see, so that refusing an action on them reveals nothing. */
const isOpen = (kind: KindName, action: Action, names: boolean): boolean =>
  kind === 'fleet' ||
  // The log exists, even for a caller who may not read it.
  kind === 'audit_log' ||
  // The collections of the fleet.
  (access[kind].scope === 'fleet' && (action === 'list' || action === 'create')) ||
  // One's own silo, and the collections in it.
  (access[kind].scope === 'silo' &&
    (kind === 'silo' ? !names : action === 'list' || action === 'create')) ||
  // Things of a user are refused to callers who may see the user.
  kindTable[kind].parent === 'silo_user'

/** The action that a call needs for each kind. */
const neededBy = (permission: Readonly<Record<string, Action>>, { about, needs }: Probe) =>
  (Object.entries({ ...permission, ...needs }) as [KindName, Action][]).filter(
    ([kind]) => !about || about.includes(kind),
  )

/** Whether a call names its things, instead of using the caller's own silo. */
const namesThings = ({ bodyNames }: Probe, { params, query }: CallArgs<OperationId>) =>
  bodyNames ||
  Object.keys(params ?? {}).some((param) => param !== 'metric_name') ||
  'silo' in (query ?? {})

/** The expected answer to a role by the table of permissions. */
function expected(role: Role, id: OperationId, probe: Probe, args: CallArgs<OperationId>): number {
  const { permission, success } = operationTable[id]
  const granted = probe.passes ?? success.status
  if (permission === 'public') return granted
  if (permission === 'scim') return role === 'SCIM token' ? granted : 401
  if (role === 'nobody' || role === 'SCIM token') return 401
  if (permission === 'session') return granted

  const [level, name] = role.split('.') as [string, SiloRole & FleetRole]
  const names = namesThings(probe, args)
  for (const [kind, action] of neededBy(permission, probe)) {
    // Named things are in the silo `main`; other calls are about the caller's own silo.
    const inOwnSilo = role !== 'other silo' || (!names && access[kind].scope === 'silo')
    const grants = expandRoles({
      fleet: level === 'fleet' ? [name] : [],
      silo: level === 'silo' ? [name] : [],
      project: level === 'project' ? [name] : [],
    })
    grants.add('any.user')
    if (inOwnSilo) grants.add('silo.user')
    // A user, a group, a pool or an image of another silo is never found from here.
    const hidden = !inOwnSilo && access[kind].scope !== 'fleet' && kind !== 'audit_log'
    if (hidden && !permits(kind, 'read', grants)) return 404
    const open = isOpen(kind, action, names) && !probe.hides?.includes(kind)
    if (!open && !permits(kind, 'read', grants)) return 404
    if (!permits(kind, action, grants)) return 403
  }
  return granted
}

/** The status of a call; a WebSocket is requested as a browser does. */
async function statusOf(role: Role, id: OperationId, args: CallArgs<OperationId>): Promise<number> {
  const caller = callerOf(role)
  const path = locationOf(id, args)
  if (operationTable[id].websocket) {
    const asked = request(server.url + path, {
      headers: {
        ...caller.credentials,
        connection: 'upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    })
    asked.end()
    const [answer] = (await once(asked, 'response')) as [{ statusCode: number; resume: () => void }]
    answer.resume()
    return answer.statusCode
  }
  // Streams without end, or of a gigabyte.
  const { permission, success } = operationTable[id]
  if (success.contentType && permission !== 'scim') {
    const response = await caller.fetch(path)
    await response.body?.cancel()
    return response.status
  }
  // Signing out would end the role's one session.
  const quiet = id === 'logout' ? server.anonymous : caller
  return (await quiet.send(operationTable[id].method, path, args)).status
}

test('every operation is called, and has its callers in the specification', () => {
  expect(Object.keys(probes).sort()).toEqual(Object.keys(operationTable).sort())
  expect(specification.flatMap(([, calls]) => calls).sort()).toEqual(
    cases.map(([label]) => label).sort(),
  )
})

describe('permits the right callers to', () => {
  test.each(cases)('%s', async (label, id, probe) => {
    const said: Record<string, number> = {}
    const wanted: Record<string, number> = {}
    const ask = async (role: Role) => {
      const args = await probe.args()
      wanted[role] = expected(role, id, probe, args)
      said[role] = await statusOf(role, id, args)
    }
    // Sequentially: many logins of one user at once would count as guessing.
    for (const role of roles) await ask(role)
    const { permission, success } = operationTable[id]
    const granted = probe.passes ?? success.status
    const allowed = specification.find(([, calls]) => calls.includes(label))![0]
    expect(roles.filter((role) => said[role] === granted)).toEqual(
      roles.filter((role) => allowed.includes(role)),
    )
    expect(said).toEqual(wanted)
    if (typeof permission === 'string') return
    const needed = neededBy(permission, probe)
    const names = namesThings(probe, await probe.args())
    for (const role of signedIn) {
      const known = (kind: KindName, action: Action) =>
        holders(kind, action, askerFor(role, kind, names))
      const sets = await Promise.all(needed.map(([kind, action]) => known(kind, action)))
      const user = await userOf(role)
      const passes = said[role] === granted
      expect([role, sets.every((users) => users.has(user))]).toEqual([role, passes])
      // The console's prediction, from the facts about its user.
      if (role === 'other silo') continue
      const held = await heldBy(role)
      const about = needed.map(([kind]) => kind)
      expect([
        role,
        operationProblem({ ...permission, ...probe.needs }, held, about) === undefined,
      ]).toEqual([role, passes])
      const [usual] = mainKinds(permission) as [KindName]
      if (passes && (!probe.about || probe.about.includes(usual))) {
        expect([role, operationProblem(permission, held)]).toEqual([role, undefined])
      }
    }
  })
})

/**
 * The caller of `GET /x/v1/access`: the caller of another silo about their own silo, otherwise the
 * admin.
 */
const askerFor = (role: Role, kind: KindName, names: boolean): Caller =>
  role === 'other silo' && !names && access[kind].scope === 'silo' ? callerOf(role) : server.admin

const remembered = <T>(make: (key: string) => Promise<T>) => {
  const made = new Map<string, Promise<T>>()
  return (key: string) => {
    if (!made.has(key)) made.set(key, make(key))
    return made.get(key)!
  }
}
const userOf = remembered(
  async (role) => (await callerOf(role as Role).call('current_user_view')).id,
)
const asked = new Map<string, Promise<Set<string>>>()

/** The holders of a permission, according to the control plane. */
function holders(kind: KindName, action: Action, asker: Caller): Promise<Set<string>> {
  const key = `${kind} ${action} ${asker === server.admin}`
  const within = access[kind].scope === 'project' ? { project: PROJECT } : {}
  if (!asked.has(key)) {
    const answer = asker.call('access_list', { query: { kind, action, limit: 1000, ...within } })
    asked.set(
      key,
      answer.then(({ items }) => new Set(items.map(({ user }) => user.id))),
    )
  }
  return asked.get(key)!
}

/** A caller's grants in the silo and the project, according to the control plane. */
const heldBy = remembered(async (role): Promise<HeldGrants> => {
  const caller = callerOf(role as Role)
  const params = { user_id: await userOf(role) }
  const reads = (await caller.send('GET', `/v1/projects/${PROJECT}`)).status === 200
  const query = reads ? { project: PROJECT } : {}
  const told = await caller.call('user_access_view', { params, query })
  return {
    grants: new Set(told.grants.filter((grant) => grant !== 'self')),
    fleetKnown: told.fleet_known,
  }
})

describe('refuses', () => {
  /** Existence is not revealed to callers who may not see a thing. */
  const rows: [Role, OperationId, number, string?][] = [
    ['nobody', 'current_user_view', 401],
    ['nobody', 'project_view', 401, 'by name'],
    ['SCIM token', 'project_list', 401],
    ['fleet.admin', 'scim_user_list', 401],
    ['silo.collaborator', 'scim_token_list', 403],
    ['silo.collaborator', 'scim_token_view', 404],
    ['other silo', 'scim_token_create', 404],
    ['none', 'system_policy_view', 403],
    ['fleet.collaborator', 'system_policy_update', 403],
    ['silo.admin', 'silo_list', 403],
    ['other silo', 'silo_view', 404, 'by name'],
    ['other silo', 'silo_quotas_update', 404],
    ['silo.admin', 'silo_quotas_update', 403],
    ['fleet.collaborator', 'silo_create', 403, 'with fleet roles'],
    ['fleet.viewer', 'silo_delete', 403],
    ['other silo', 'silo_identity_provider_list', 404],
    ['fleet.collaborator', 'saml_identity_provider_create', 403],
    ['none', 'saml_identity_provider_view', 404],
    ['none', 'project_list', 403],
    ['fleet.admin', 'project_list', 403],
    ['project.admin', 'project_create', 403],
    ['silo.collaborator', 'policy_update', 403],
    ['other silo', 'user_view', 404],
    ['fleet.admin', 'project_view', 404, 'by name'],
    ['fleet.admin', 'project_view', 404, 'by id'],
    ['none', 'project_view', 404, 'by name'],
    ['other silo', 'project_view', 404, 'by id'],
    ['project.collaborator', 'project_update', 403],
    ['silo.limited_collaborator', 'project_update', 403],
    ['project.viewer', 'instance_create', 403],
    ['project.viewer', 'instance_stop', 403],
    ['none', 'instance_stop', 404],
    ['none', 'instance_create', 404],
    ['fleet.admin', 'instance_view', 404, 'by id'],
    ['project.viewer', 'instance_serial_console_stream', 403],
    ['project.viewer', 'instance_display', 403],
    ['none', 'instance_screenshot', 404],
    ['silo.viewer', 'disk_create', 403],
    ['none', 'disk_contents', 404],
    ['project.viewer', 'disk_bulk_write_import', 403],
    ['project.viewer', 'snapshot_create', 403],
    ['project.viewer', 'floating_ip_attach', 403],
    ['none', 'floating_ip_view', 404, 'by id'],
    ['project.viewer', 'anti_affinity_group_member_instance_add', 403],
    ['project.admin', 'image_create', 403, 'in the silo'],
    ['silo.viewer', 'image_create', 403, 'in the silo'],
    ['project.admin', 'image_promote', 404],
    ['silo.viewer', 'image_promote', 403],
    ['silo.viewer', 'image_demote', 403],
    ['project.admin', 'image_demote', 404],
    ['none', 'vpc_list', 404],
    ['none', 'vpc_delete', 404],
    ['project.limited_collaborator', 'vpc_delete', 403],
    ['silo.limited_collaborator', 'vpc_subnet_delete', 403],
    ['project.limited_collaborator', 'vpc_router_route_create', 403],
    ['none', 'internet_gateway_list', 404],
    ['other silo', 'vpc_router_route_view', 404, 'by id'],
    ['none', 'image_list', 403, 'of the silo'],
    ['none', 'image_view', 404, 'of the silo'],
    ['none', 'ip_pool_list', 403],
    ['other silo', 'ip_pool_view', 404],
    ['silo.admin', 'system_ip_pool_list', 403],
    ['silo.admin', 'system_ip_pool_view', 404],
    ['fleet.viewer', 'system_ip_pool_create', 403],
    ['fleet.collaborator', 'system_ip_pool_silo_link', 403],
    ['silo.admin', 'silo_ip_pool_list', 403],
    ['other silo', 'silo_ip_pool_list', 404],
    ['silo.admin', 'ip_pool_service_view', 404],
  ]
  test.each(rows)('%s calling %s with %i', async (role, id, status, how) => {
    const probe = (how ? (probes[id] as Record<string, Probe>)[how] : probes[id]) as Probe
    expect(await statusOf(role, id, await probe.args())).toBe(status)
  })
})
