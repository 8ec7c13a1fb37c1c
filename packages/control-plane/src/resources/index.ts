/**
 * All resources: their kinds declare the storage of things, their handlers implement operations,
 * and their migrations create the tables.
 */
import type { tables, operations } from '@steading/api'
import { accessHandlers } from './identity/access/handlers.ts'
import { up as access } from './identity/access/migration.ts'
import { accessTokenHandlers } from './identity/access-tokens/handlers.ts'
import { up as accessTokens } from './identity/access-tokens/migration.ts'
import { addressLotHandlers } from './system-networking/address-lots/handlers.ts'
import { up as addressLots } from './system-networking/address-lots/migration.ts'
import { affinityHandlers } from './compute/affinity/handlers.ts'
import { alertReceiverHandlers } from './observability/alert-receivers/handlers.ts'
import { up as alertReceivers } from './observability/alert-receivers/migration.ts'
import { alertRuleHandlers } from './observability/alert-rules/handlers.ts'
import { up as alertRules } from './observability/alert-rules/migration.ts'
import { alertHandlers } from './observability/alerts/handlers.ts'
import { allowListHandlers } from './system-networking/allow-list/handlers.ts'
import { up as allowList } from './system-networking/allow-list/migration.ts'
import { authSettingsHandlers } from './identity/auth-settings/handlers.ts'
import { up as authSettings } from './identity/auth-settings/migration.ts'
import { auditLogHandlers } from './observability/audit-log/handlers.ts'
import { authHandlers } from './identity/auth/handlers.ts'
import { bfdHandlers } from './system-networking/bfd/handlers.ts'
import { up as bfd } from './system-networking/bfd/migration.ts'
import { bgpHandlers } from './system-networking/bgp/handlers.ts'
import { up as bgp } from './system-networking/bgp/migration.ts'
import { certificateHandlers } from './identity/certificates/handlers.ts'
import { up as certificates } from './identity/certificates/migration.ts'
import type { Handlers } from '../kernel/context.ts'
import type { Dialect, Migrations } from '../kernel/db/database.ts'
import { deviceAuthHandlers } from './identity/device-auth/handlers.ts'
import { up as deviceAuth } from './identity/device-auth/migration.ts'
import { contentsHandlers } from './storage/disks/contents-handlers.ts'
import { diskHandlers } from './storage/disks/handlers.ts'
import { importHandlers } from './storage/disks/import-handlers.ts'
import { externalSubnetHandlers } from './networking/external-subnets/handlers.ts'
import { up as externalSubnets } from './networking/external-subnets/migration.ts'
import { findHandlers } from './workspace/find/handlers.ts'
import { up as findIndexes } from './workspace/find/migration.ts'
import { firewallRuleHandlers } from './networking/firewall-rules/handlers.ts'
import { floatingIpHandlers } from './networking/floating-ips/handlers.ts'
import { groupHandlers } from './identity/groups/handlers.ts'
import { identityProviderHandlers } from './identity/identity-providers/handlers.ts'
import { idpInitiated, up as identityProviders } from './identity/identity-providers/migration.ts'
import { imageHandlers } from './storage/images/handlers.ts'
import { instanceHandlers } from './compute/instances/handlers.ts'
import { serialConsoleHandlers } from './compute/instances/serial-console.ts'
import { internetGatewayHandlers } from './networking/internet-gateways/handlers.ts'
import { up as internetGateways } from './networking/internet-gateways/migration.ts'
import { ipPoolHandlers } from './networking/ip-pools/handlers.ts'
import { up as ipPools } from './networking/ip-pools/migration.ts'
import { systemIpPoolHandlers } from './networking/ip-pools/system-handlers.ts'
import { issueHandlers } from './observability/issues/handlers.ts'
import { jobHandlers } from './workspace/jobs/handlers.ts'
import { instanceFailure, lastMachine, unsettledIndex } from './compute/instances/migration.ts'
import { jobDestroys, jobNeeds, jobPlaces } from './workspace/jobs/migration.ts'
import { loopbackAddressHandlers } from './system-networking/loopback-addresses/handlers.ts'
import { up as loopbackAddresses } from './system-networking/loopback-addresses/migration.ts'
import { multicastGroupHandlers } from './networking/multicast-groups/handlers.ts'
import { up as multicastGroups } from './networking/multicast-groups/migration.ts'
import { networkInterfaceHandlers } from './networking/network-interfaces/handlers.ts'
import { physicalDiskHandlers } from './hardware/physical-disks/handlers.ts'
import { networkingSettingsHandlers } from './system-networking/networking-settings/handlers.ts'
import { policyHandlers } from './identity/policies/handlers.ts'
import { probeHandlers } from './networking/probes/handlers.ts'
import { up as probes } from './networking/probes/migration.ts'
import { projectHandlers } from './tenancy/projects/handlers.ts'
import { quotaHandlers } from './tenancy/quotas/handlers.ts'
import { simulationHandlers } from './hardware/simulation/handlers.ts'
import { rackHandlers } from './hardware/racks/handlers.ts'
import { storage, up as hardware } from './hardware/racks/migration.ts'
import { scimHandlers } from './identity/scim/handlers.ts'
import { up as scim } from './identity/scim/migration.ts'
import { scimTokenHandlers } from './identity/scim-tokens/handlers.ts'
import { up as scimTokens } from './identity/scim-tokens/migration.ts'
import { samlLoginHandlers } from './identity/saml-login/handlers.ts'
import { reachabilityHandlers } from './networking/reachability/handlers.ts'
import { roleHandlers } from './identity/roles/handlers.ts'
import { routerHandlers } from './networking/routers/handlers.ts'
import { sortedByAddress, up as routers } from './networking/routers/migration.ts'
import { sessionHandlers } from './identity/sessions/handlers.ts'
import { endings, origins, providerEnds } from './identity/sessions/migration.ts'
import { siloHandlers } from './tenancy/silos/handlers.ts'
import { listOfSilos } from './tenancy/silos/migration.ts'
import { sledHandlers } from './hardware/sleds/handlers.ts'
import { snapshotHandlers } from './storage/snapshots/handlers.ts'
import { sshKeyHandlers } from './identity/ssh-keys/handlers.ts'
import { starHandlers } from './workspace/stars/handlers.ts'
import { up as stars } from './workspace/stars/migration.ts'
import { subnetPoolHandlers } from './networking/subnet-pools/handlers.ts'
import { listOfPools, up as subnetPools } from './networking/subnet-pools/migration.ts'
import { systemSubnetPoolHandlers } from './networking/subnet-pools/system-handlers.ts'
import { subnetHandlers } from './networking/subnets/handlers.ts'
import { up as subnets } from './networking/subnets/migration.ts'
import { supportBundleHandlers } from './maintenance/support-bundles/handlers.ts'
import { up as supportBundles } from './maintenance/support-bundles/migration.ts'
import { switchHandlers } from './hardware/switches/handlers.ts'
import { switchPortSettingsHandlers } from './system-networking/switch-port-settings/handlers.ts'
import { up as switchPortSettings } from './system-networking/switch-port-settings/migration.ts'
import { switchPortHandlers } from './system-networking/switch-ports/handlers.ts'
import { up as switchPorts } from './system-networking/switch-ports/migration.ts'
import { healthHandlers } from './maintenance/health/handlers.ts'
import { serverMetricsHandlers } from './observability/server-metrics/handlers.ts'
import { systemHandlers } from './maintenance/system/handlers.ts'
import { timeseriesHandlers } from './observability/timeseries/handlers.ts'
import { trustRootHandlers } from './maintenance/trust-roots/handlers.ts'
import { repeatedRoots, up as trustRoots } from './maintenance/trust-roots/migration.ts'
import { updateHandlers } from './maintenance/updates/handlers.ts'
import { up as updates } from './maintenance/updates/migration.ts'
import { updateRepositoryHandlers } from './maintenance/update-repositories/handlers.ts'
import {
  up as updateRepositories,
  uploadUsers,
} from './maintenance/update-repositories/migration.ts'
import { userBuiltinHandlers } from './identity/users-builtin/handlers.ts'
import { userHandlers } from './identity/users/handlers.ts'
import { byDisplayName, usersOfProviders, weakPasswords } from './identity/users/migration.ts'
import { up as scrub } from './maintenance/scrub/migration.ts'
import { up as useHistory } from './observability/forecasts/migration.ts'
import { forecastHandlers } from './observability/forecasts/handlers.ts'
import { up as provisioned } from './observability/metrics/migration.ts'
import { metricHandlers } from './observability/metrics/handlers.ts'
import { utilizationHandlers } from './tenancy/utilization/handlers.ts'
import { viewHandlers } from './workspace/views/handlers.ts'
import { up as views } from './workspace/views/migration.ts'
import { dashboardHandlers } from './observability/dashboards/handlers.ts'
import { up as dashboards } from './observability/dashboards/migration.ts'
import { vpcHandlers } from './networking/vpcs/handlers.ts'
import { searchedVpcs } from './networking/vpcs/migration.ts'
import { access_token } from './identity/access-tokens/kind.ts'
import { address_lot } from './system-networking/address-lots/kind.ts'
import { affinity_group, anti_affinity_group } from './compute/affinity/kind.ts'
import { alert_receiver, webhook_secret } from './observability/alert-receivers/kind.ts'
import { alert_rule, system_alert_rule } from './observability/alert-rules/kind.ts'
import { alert, alert_delivery } from './observability/alerts/kind.ts'
import { bfd_session } from './system-networking/bfd/kind.ts'
import { bgp_announce_set, bgp_config } from './system-networking/bgp/kind.ts'
import { certificate } from './identity/certificates/kind.ts'
import { dashboard, project_dashboard, silo_dashboard } from './observability/dashboards/kind.ts'
import { disk } from './storage/disks/kind.ts'
import { external_ip } from './networking/external-ips/kind.ts'
import { external_subnet } from './networking/external-subnets/kind.ts'
import { floating_ip } from './networking/floating-ips/kind.ts'
import { silo_group } from './identity/groups/kind.ts'
import { saml_identity_provider } from './identity/identity-providers/kind.ts'
import { image, silo_image } from './storage/images/kind.ts'
import { instance } from './compute/instances/kind.ts'
import {
  internet_gateway,
  internet_gateway_ip_address,
  internet_gateway_ip_pool,
} from './networking/internet-gateways/kind.ts'
import { ip_pool, system_ip_pool } from './networking/ip-pools/kind.ts'
import { job } from './workspace/jobs/kind.ts'
import { loopback_address } from './system-networking/loopback-addresses/kind.ts'
import { multicast_group } from './networking/multicast-groups/kind.ts'
import { network_interface } from './networking/network-interfaces/kind.ts'
import { disk_adoption_request, physical_disk } from './hardware/physical-disks/kind.ts'
import { probe } from './networking/probes/kind.ts'
import { project } from './tenancy/projects/kind.ts'
import { rack } from './hardware/racks/kind.ts'
import { router_route, vpc_router } from './networking/routers/kind.ts'
import { scim_token } from './identity/scim-tokens/kind.ts'
import { console_session } from './identity/sessions/kind.ts'
import { silo } from './tenancy/silos/kind.ts'
import { sled } from './hardware/sleds/kind.ts'
import { snapshot } from './storage/snapshots/kind.ts'
import { ssh_key } from './identity/ssh-keys/kind.ts'
import { star } from './workspace/stars/kind.ts'
import { subnet_pool, system_subnet_pool } from './networking/subnet-pools/kind.ts'
import { vpc_subnet } from './networking/subnets/kind.ts'
import { support_bundle } from './maintenance/support-bundles/kind.ts'
import { switch_port_settings } from './system-networking/switch-port-settings/kind.ts'
import { switch_port } from './system-networking/switch-ports/kind.ts'
import { rack_switch } from './hardware/switches/kind.ts'
import { trust_root } from './maintenance/trust-roots/kind.ts'
import { update_repository, update_upload } from './maintenance/update-repositories/kind.ts'
import { system_update } from './maintenance/updates/kind.ts'
import { silo_user } from './identity/users/kind.ts'
import { project_view, saved_view } from './workspace/views/kind.ts'
import { vpc } from './networking/vpcs/kind.ts'
import { firewallRuleTables } from './networking/firewall-rules/tables.ts'
import { scimTables } from './identity/scim/tables.ts'
import type { Declarations } from '../kernel/compose.ts'
import type { StoredKinds } from '../kernel/kinds.ts'

/** The declarations of all kinds, in the order of the contract. */
const kinds: StoredKinds = {
  silo,
  silo_user,
  silo_group,
  certificate,
  saml_identity_provider,
  ssh_key,
  access_token,
  console_session,
  scim_token,
  job,
  saved_view,
  project_view,
  dashboard,
  project_dashboard,
  silo_dashboard,
  star,
  rack,
  rack_switch,
  sled,
  physical_disk,
  disk_adoption_request,
  system_ip_pool,
  ip_pool,
  system_subnet_pool,
  subnet_pool,
  address_lot,
  loopback_address,
  bgp_config,
  bgp_announce_set,
  bfd_session,
  switch_port,
  switch_port_settings,
  multicast_group,
  alert,
  alert_receiver,
  webhook_secret,
  alert_delivery,
  system_alert_rule,
  trust_root,
  update_repository,
  update_upload,
  support_bundle,
  system_update,
  silo_image,
  project,
  instance,
  disk,
  floating_ip,
  image,
  snapshot,
  probe,
  network_interface,
  vpc,
  vpc_subnet,
  vpc_router,
  router_route,
  internet_gateway,
  internet_gateway_ip_pool,
  internet_gateway_ip_address,
  affinity_group,
  anti_affinity_group,
  external_subnet,
  external_ip,
  alert_rule,
}

/** The declarations of all resources for the kernel. */
export const declarations: Declarations = {
  kinds,
  tables: { ...firewallRuleTables, ...scimTables },
}

/** The handlers of all resources; a missing one is a type error. */
export const resourceHandlers: Handlers<
  Omit<typeof operations, keyof typeof tables.eventOperations>
> = {
  ...systemHandlers,
  ...healthHandlers,
  ...serverMetricsHandlers,
  ...authHandlers,
  ...identityProviderHandlers,
  ...samlLoginHandlers,
  ...deviceAuthHandlers,
  ...accessTokenHandlers,
  ...sessionHandlers,
  ...authSettingsHandlers,
  ...userHandlers,
  ...userBuiltinHandlers,
  ...roleHandlers,
  ...groupHandlers,
  ...sshKeyHandlers,
  ...policyHandlers,
  ...accessHandlers,
  ...projectHandlers,
  ...instanceHandlers,
  ...serialConsoleHandlers,
  ...diskHandlers,
  ...importHandlers,
  ...contentsHandlers,
  ...imageHandlers,
  ...snapshotHandlers,
  ...vpcHandlers,
  ...subnetHandlers,
  ...firewallRuleHandlers,
  ...routerHandlers,
  ...internetGatewayHandlers,
  ...networkInterfaceHandlers,
  ...reachabilityHandlers,
  ...floatingIpHandlers,
  ...externalSubnetHandlers,
  ...probeHandlers,
  ...affinityHandlers,
  ...multicastGroupHandlers,
  ...ipPoolHandlers,
  ...systemIpPoolHandlers,
  ...subnetPoolHandlers,
  ...systemSubnetPoolHandlers,
  ...addressLotHandlers,
  ...loopbackAddressHandlers,
  ...bgpHandlers,
  ...bfdHandlers,
  ...networkingSettingsHandlers,
  ...allowListHandlers,
  ...switchPortHandlers,
  ...switchPortSettingsHandlers,
  ...alertHandlers,
  ...alertReceiverHandlers,
  ...alertRuleHandlers,
  ...trustRootHandlers,
  ...updateRepositoryHandlers,
  ...supportBundleHandlers,
  ...updateHandlers,
  ...siloHandlers,
  ...quotaHandlers,
  ...rackHandlers,
  ...simulationHandlers,
  ...switchHandlers,
  ...sledHandlers,
  ...physicalDiskHandlers,
  ...certificateHandlers,
  ...scimTokenHandlers,
  ...scimHandlers,
  ...utilizationHandlers,
  ...forecastHandlers,
  ...timeseriesHandlers,
  ...metricHandlers,
  ...auditLogHandlers,
  ...issueHandlers,
  ...jobHandlers,
  ...findHandlers,
  ...starHandlers,
  ...viewHandlers,
  ...dashboardHandlers,
}

/** The migrations in the folders of resources. Older ones are in `migrations`. */
export const resourceMigrations = (dialect: Dialect): Migrations => ({
  '0012-job-needs': { up: (db) => jobNeeds(db, dialect) },
  '0013-last-machine': { up: (db) => lastMachine(db, dialect) },
  '0014-job-destroys': { up: jobDestroys },
  '0015-instance-failure': { up: instanceFailure },
  '0016-find': { up: findIndexes },
  '0017-stars': { up: (db) => stars(db, dialect) },
  '0018-views': { up: (db) => views(db, dialect) },
  '0020-sessions': { up: origins },
  '0021-access-tokens': { up: (db) => accessTokens(db, dialect) },
  '0022-device-auth': { up: (db) => deviceAuth(db, dialect) },
  '0023-auth-settings': { up: authSettings },
  '0032-users-of-providers': { up: (db) => usersOfProviders(db, dialect) },
  '0038-ended-sessions': { up: (db) => endings(db, dialect) },
  '0039-users-by-name': { up: byDisplayName },
  '0031-certificates': { up: (db) => certificates(db, dialect) },
  '0033-access': { up: access },
  '0034-identity-providers': { up: (db) => identityProviders(db, dialect) },
  '0035-scim': { up: (db) => scim(db, dialect) },
  '0040-vpcs': { up: (db) => searchedVpcs(db, dialect) },
  '0042-routers': { up: (db) => routers(db, dialect) },
  '0044-subnets': { up: (db) => subnets(db, dialect) },
  '0043-internet-gateways': { up: (db) => internetGateways(db, dialect) },
  '0035-scim-tokens': { up: (db) => scimTokens(db, dialect) },
  '0040-subnet-pools': { up: (db) => subnetPools(db, dialect) },
  '0041-external-subnets': { up: (db) => externalSubnets(db, dialect) },
  '0042-session-ends': { up: providerEnds },
  '0043-ip-pools': { up: (db) => ipPools(db, dialect) },
  '0049-job-places': { up: jobPlaces },
  '0068-multicast-groups': { up: (db) => multicastGroups(db, dialect) },
  '0055-alert-receivers': { up: (db) => alertReceivers(db, dialect) },
  '0044-system-subnet-pools': { up: (db) => listOfPools(db, dialect) },
  '0052-list-of-silos': { up: (db) => listOfSilos(db, dialect) },
  '0053-routes-by-address': { up: (db) => sortedByAddress(db, dialect) },
  '0050-hardware': { up: (db) => hardware(db, dialect) },
  '0058-address-lots': { up: (db) => addressLots(db, dialect) },
  '0059-loopback-addresses': { up: (db) => loopbackAddresses(db, dialect) },
  '0060-switch-ports': { up: (db) => switchPorts(db, dialect) },
  '0061-bgp': { up: (db) => bgp(db, dialect) },
  '0062-bfd': { up: (db) => bfd(db, dialect) },
  '0070-switch-port-settings': { up: (db) => switchPortSettings(db, dialect) },
  '0071-allow-list': { up: (db) => allowList(db, dialect) },
  '0076-trust-roots': { up: (db) => trustRoots(db, dialect) },
  '0079-updates': { up: (db) => updates(db, dialect) },
  '0077-update-repositories': { up: (db) => updateRepositories(db, dialect) },
  '0080-support-bundles': { up: (db) => supportBundles(db, dialect) },
  '0086-use-history': { up: (db) => useHistory(db, dialect) },
  '0090-provisioned': { up: (db) => provisioned(db, dialect) },
  '0092-probes': { up: (db) => probes(db, dialect) },
  '0094-alert-rules': { up: (db) => alertRules(db, dialect) },
  '0112-scrub': { up: (db) => scrub(db, dialect) },
  '0115-upload-users': { up: uploadUsers },
  '0111-weak-passwords': { up: weakPasswords },
  '0123-repeated-trust-roots': { up: repeatedRoots },
  '0110-idp-initiated-sign-in': { up: idpInitiated },
  '0095-dashboards': { up: (db) => dashboards(db, dialect) },
  '0074-unsettled-instances': { up: unsettledIndex },
  '0051-replicas': { up: (db) => storage(db, dialect) },
})
