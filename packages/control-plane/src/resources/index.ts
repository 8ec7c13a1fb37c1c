/**
 * All resources: their kinds declare the storage of resources, and their handlers implement
 * operations.
 */
import type { tables, operations } from '@steading/api'
import { accessHandlers } from './identity/access/handlers.ts'
import { accessTokenHandlers } from './identity/access-tokens/handlers.ts'
import { addressLotHandlers } from './system-networking/address-lots/handlers.ts'
import { affinityHandlers } from './compute/affinity/handlers.ts'
import { alertReceiverHandlers } from './observability/alert-receivers/handlers.ts'
import { deletedResourceHandlers } from './workspace/deleted-resources/handlers.ts'
import { deleted_resource } from './workspace/deleted-resources/kind.ts'
import { scheduleHandlers } from './compute/schedules/handlers.ts'
import { instanceCloneHandlers } from './compute/instance-clones/handlers.ts'
import { instanceTemplateHandlers } from './compute/instance-templates/handlers.ts'
import { instance_template, silo_instance_template } from './compute/instance-templates/kind.ts'
import { instanceCloneTables } from './compute/instance-clones/table.ts'
import { alertRuleHandlers } from './observability/alert-rules/handlers.ts'
import { alertHandlers } from './observability/alerts/handlers.ts'
import { allowListHandlers } from './system-networking/allow-list/handlers.ts'
import { authSettingsHandlers } from './identity/auth-settings/handlers.ts'
import { auditLogHandlers } from './observability/audit-log/handlers.ts'
import { authHandlers } from './identity/auth/handlers.ts'
import { bfdHandlers } from './system-networking/bfd/handlers.ts'
import { bgpHandlers } from './system-networking/bgp/handlers.ts'
import { certificateHandlers } from './identity/certificates/handlers.ts'
import type { Handlers } from '../kernel/context.ts'
import { deviceAuthHandlers } from './identity/device-auth/handlers.ts'
import { bootSourceHandlers } from './storage/boot-sources/handlers.ts'
import { contentsHandlers } from './storage/disks/contents-handlers.ts'
import { diskHandlers } from './storage/disks/handlers.ts'
import { diskChangeHandlers } from './storage/disks/change-handlers.ts'
import { importHandlers } from './storage/disks/import-handlers.ts'
import { externalSubnetHandlers } from './networking/external-subnets/handlers.ts'
import { findHandlers } from './workspace/find/handlers.ts'
import { firewallRuleHandlers } from './networking/firewall-rules/handlers.ts'
import { floatingIpHandlers } from './networking/floating-ips/handlers.ts'
import { groupHandlers } from './identity/groups/handlers.ts'
import { identityProviderHandlers } from './identity/identity-providers/handlers.ts'
import { imageHandlers } from './storage/images/handlers.ts'
import { imageCatalogHandlers } from './storage/image-catalog/handlers.ts'
import { imagePolicyHandlers } from './storage/image-policy/handlers.ts'
import { imageDownloadHandlers } from './storage/image-downloads/handlers.ts'
import { instanceHandlers } from './compute/instances/handlers.ts'
import { serialConsoleHandlers } from './compute/instances/serial-console.ts'
import { displayHandlers } from './compute/instances/display.ts'
import { internetGatewayHandlers } from './networking/internet-gateways/handlers.ts'
import { ipPoolHandlers } from './networking/ip-pools/handlers.ts'
import { systemIpPoolHandlers } from './networking/ip-pools/system-handlers.ts'
import { issueHandlers } from './observability/issues/handlers.ts'
import { notificationHandlers } from './observability/notifications/handlers.ts'
import { overviewHandlers } from './observability/overview/handlers.ts'
import { jobHandlers } from './workspace/jobs/handlers.ts'
import { loopbackAddressHandlers } from './system-networking/loopback-addresses/handlers.ts'
import { multicastGroupHandlers } from './networking/multicast-groups/handlers.ts'
import { networkInterfaceHandlers } from './networking/network-interfaces/handlers.ts'
import { physicalDiskHandlers } from './hardware/physical-disks/handlers.ts'
import { networkingSettingsHandlers } from './system-networking/networking-settings/handlers.ts'
import { policyHandlers } from './identity/policies/handlers.ts'
import { probeHandlers } from './networking/probes/handlers.ts'
import { projectTerraformHandlers } from './tenancy/project-terraform/handlers.ts'
import { projectHandlers } from './tenancy/projects/handlers.ts'
import { quotaHandlers } from './tenancy/quotas/handlers.ts'
import { simulationHandlers } from './hardware/simulation/handlers.ts'
import { rackHandlers } from './hardware/racks/handlers.ts'
import { scimHandlers } from './identity/scim/handlers.ts'
import { scimTokenHandlers } from './identity/scim-tokens/handlers.ts'
import { oidcLoginHandlers } from './identity/oidc-login/handlers.ts'
import { oidcProviderHandlers } from './identity/oidc-providers/handlers.ts'
import { samlLoginHandlers } from './identity/saml-login/handlers.ts'
import { instanceNetworkHandlers } from './networking/instance-networks/handlers.ts'
import { vpcNetworkHandlers } from './networking/vpc-networks/handlers.ts'
import { reachabilityHandlers } from './networking/reachability/handlers.ts'
import { roleHandlers } from './identity/roles/handlers.ts'
import { routerHandlers } from './networking/routers/handlers.ts'
import { sessionHandlers } from './identity/sessions/handlers.ts'
import { siloHandlers } from './tenancy/silos/handlers.ts'
import { instanceMoveTables } from './compute/moves/table.ts'
import { moveHandlers } from './compute/moves/handlers.ts'
import { sledMaintenanceHandlers } from './hardware/sled-maintenance/handlers.ts'
import { sledMaintenanceTables } from './hardware/sled-maintenance/table.ts'
import { storagePoolHandlers } from './storage/storage-pools/handlers.ts'
import { hostFencingHandlers } from './hardware/host-fencing/handlers.ts'
import { hostFencingTables } from './hardware/host-fencing/table.ts'
import { hostHandlers } from './hardware/hosts/handlers.ts'
import { sledHandlers } from './hardware/sleds/handlers.ts'
import { snapshotHandlers } from './storage/snapshots/handlers.ts'
import { sshKeyHandlers } from './identity/ssh-keys/handlers.ts'
import { starHandlers } from './workspace/stars/handlers.ts'
import { briefingHandlers } from './observability/briefings/handlers.ts'
import { lightHandlers } from './observability/lights/handlers.ts'
import { dismissalHandlers } from './workspace/dismissals/handlers.ts'
import { subnetPoolHandlers } from './networking/subnet-pools/handlers.ts'
import { systemSubnetPoolHandlers } from './networking/subnet-pools/system-handlers.ts'
import { subnetHandlers } from './networking/subnets/handlers.ts'
import { supportBundleHandlers } from './maintenance/support-bundles/handlers.ts'
import { switchHandlers } from './hardware/switches/handlers.ts'
import { switchPortSettingsHandlers } from './system-networking/switch-port-settings/handlers.ts'
import { switchPortHandlers } from './system-networking/switch-ports/handlers.ts'
import { healthHandlers } from './maintenance/health/handlers.ts'
import { serverMetricsHandlers } from './observability/server-metrics/handlers.ts'
import { systemHandlers } from './maintenance/system/handlers.ts'
import { timeseriesHandlers } from './observability/timeseries/handlers.ts'
import { trustRootHandlers } from './maintenance/trust-roots/handlers.ts'
import { updateHandlers } from './maintenance/updates/handlers.ts'
import { updateRepositoryHandlers } from './maintenance/update-repositories/handlers.ts'
import { userBuiltinHandlers } from './identity/users-builtin/handlers.ts'
import { userIdentityHandlers } from './identity/user-identities/handlers.ts'
import { userHandlers } from './identity/users/handlers.ts'
import { forecastHandlers } from './observability/forecasts/handlers.ts'
import { metricHandlers } from './observability/metrics/handlers.ts'
import { priceListHandlers } from './tenancy/price-list/handlers.ts'
import { usageHandlers } from './tenancy/usage/handlers.ts'
import { utilizationHandlers } from './tenancy/utilization/handlers.ts'
import { savedViewHandlers } from './workspace/views/handlers.ts'
import { dashboardHandlers } from './observability/dashboards/handlers.ts'
import { vpcHandlers } from './networking/vpcs/handlers.ts'
import { access_token } from './identity/access-tokens/kind.ts'
import { address_lot } from './system-networking/address-lots/kind.ts'
import { affinity_group, anti_affinity_group } from './compute/affinity/kind.ts'
import { alert_receiver, webhook_secret } from './observability/alert-receivers/kind.ts'
import { schedule } from './compute/schedules/kind.ts'
import { alert_rule, system_alert_rule } from './observability/alert-rules/kind.ts'
import { alert, alert_delivery } from './observability/alerts/kind.ts'
import { bfd_session } from './system-networking/bfd/kind.ts'
import { bgp_announce_set, bgp_config } from './system-networking/bgp/kind.ts'
import { certificate } from './identity/certificates/kind.ts'
import { service_account, silo_service_account } from './identity/service-accounts/kind.ts'
import { serviceAccountHandlers } from './identity/service-accounts/handlers.ts'
import { dashboard, project_dashboard, silo_dashboard } from './observability/dashboards/kind.ts'
import { disk } from './storage/disks/kind.ts'
import { external_ip } from './networking/external-ips/kind.ts'
import { external_subnet } from './networking/external-subnets/kind.ts'
import { floating_ip } from './networking/floating-ips/kind.ts'
import { silo_group } from './identity/groups/kind.ts'
import { saml_identity_provider } from './identity/identity-providers/kind.ts'
import { oidc_identity_provider } from './identity/oidc-providers/kind.ts'
import { image, silo_image } from './storage/images/kind.ts'
import { image_download } from './storage/image-downloads/kind.ts'
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
import {
  notification_subscription,
  project_notification,
  project_notification_subscription,
  silo_notification,
  system_notification,
} from './observability/notifications/kind.ts'
import { disk_adoption_request, physical_disk } from './hardware/physical-disks/kind.ts'
import { probe } from './networking/probes/kind.ts'
import { project } from './tenancy/projects/kind.ts'
import { rack } from './hardware/racks/kind.ts'
import { router_route, vpc_router } from './networking/routers/kind.ts'
import { scim_token } from './identity/scim-tokens/kind.ts'
import { console_session } from './identity/sessions/kind.ts'
import { silo } from './tenancy/silos/kind.ts'
import { storage_pool } from './storage/storage-pools/kind.ts'
import { host } from './hardware/hosts/kind.ts'
import { sled } from './hardware/sleds/kind.ts'
import { snapshot } from './storage/snapshots/kind.ts'
import { ssh_key } from './identity/ssh-keys/kind.ts'
import { star } from './workspace/stars/kind.ts'
import { dismissal } from './workspace/dismissals/kind.ts'
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
import { instanceNetworkTables } from './networking/instance-networks/table.ts'
import { uplinkHostTables } from './system-networking/uplink-hosts/table.ts'
import { vpcNetworkTables } from './networking/vpc-networks/table.ts'
import { noteHandlers } from './workspace/notes/handlers.ts'
import { settingVersionHandlers } from './workspace/setting-versions/handlers.ts'
import { noteTables } from './workspace/notes/table.ts'
import { tagSteps } from './workspace/tags/change.ts'
import { tagHandlers } from './workspace/tags/handlers.ts'
import { tagTables } from '../kernel/tags/table.ts'
import { scimTables } from './identity/scim/tables.ts'
import { secondFactorHandlers } from './identity/second-factors/handlers.ts'
import { userLinkHandlers } from './identity/user-links/handlers.ts'
import { userLinkTables } from './identity/user-links/table.ts'
import { spentTables } from './identity/auth/spent.ts'
import { userIdentityTables } from './identity/user-identities/table.ts'
import { secondFactorTables } from './identity/second-factors/table.ts'
import { provisionedTables } from './observability/metrics/table.ts'
import { loadTables } from './observability/overview/table.ts'
import { usageTables } from './tenancy/usage/table.ts'
import type { Declarations } from '../kernel/compose.ts'
import type { StoredKinds } from '../kernel/kinds.ts'

/** The declarations of all kinds, in the order of the contract. */
const kinds: StoredKinds = {
  silo,
  silo_user,
  silo_group,
  certificate,
  saml_identity_provider,
  oidc_identity_provider,
  ssh_key,
  access_token,
  console_session,
  scim_token,
  job,
  saved_view,
  project_view,
  service_account,
  silo_service_account,
  dashboard,
  project_dashboard,
  silo_dashboard,
  star,
  dismissal,
  notification_subscription,
  project_notification_subscription,
  silo_notification,
  system_notification,
  rack,
  rack_switch,
  sled,
  host,
  storage_pool,
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
  image_download,
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
  schedule,
  instance_template,
  silo_instance_template,
  deleted_resource,
  project_notification,
}

/** Everything that the resources declare to the kernel. */
export const declarations: Declarations = {
  kinds,
  stepsOfAny: tagSteps,
  tables: {
    ...firewallRuleTables,
    ...instanceCloneTables,
    ...instanceMoveTables,
    ...instanceNetworkTables,
    ...vpcNetworkTables,
    ...uplinkHostTables,
    ...sledMaintenanceTables,
    ...hostFencingTables,
    ...scimTables,
    ...secondFactorTables,
    ...userIdentityTables,
    ...spentTables,
    ...userLinkTables,
    ...provisionedTables,
    ...loadTables,
    ...usageTables,
    ...tagTables,
    ...noteTables,
  },
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
  ...oidcProviderHandlers,
  ...oidcLoginHandlers,
  ...secondFactorHandlers,
  ...deviceAuthHandlers,
  ...accessTokenHandlers,
  ...sessionHandlers,
  ...authSettingsHandlers,
  ...userHandlers,
  ...userLinkHandlers,
  ...userIdentityHandlers,
  ...userBuiltinHandlers,
  ...roleHandlers,
  ...groupHandlers,
  ...sshKeyHandlers,
  ...policyHandlers,
  ...accessHandlers,
  ...projectHandlers,
  ...projectTerraformHandlers,
  ...instanceHandlers,
  ...instanceCloneHandlers,
  ...serialConsoleHandlers,
  ...displayHandlers,
  ...diskHandlers,
  ...diskChangeHandlers,
  ...importHandlers,
  ...contentsHandlers,
  ...bootSourceHandlers,
  ...imageHandlers,
  ...imageDownloadHandlers,
  ...imageCatalogHandlers,
  ...imagePolicyHandlers,
  ...snapshotHandlers,
  ...vpcHandlers,
  ...subnetHandlers,
  ...firewallRuleHandlers,
  ...routerHandlers,
  ...internetGatewayHandlers,
  ...networkInterfaceHandlers,
  ...reachabilityHandlers,
  ...instanceNetworkHandlers,
  ...vpcNetworkHandlers,
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
  ...scheduleHandlers,
  ...instanceTemplateHandlers,
  ...deletedResourceHandlers,
  ...trustRootHandlers,
  ...updateRepositoryHandlers,
  ...supportBundleHandlers,
  ...updateHandlers,
  ...siloHandlers,
  ...quotaHandlers,
  ...rackHandlers,
  ...simulationHandlers,
  ...switchHandlers,
  ...moveHandlers,
  ...sledMaintenanceHandlers,
  ...hostFencingHandlers,
  ...sledHandlers,
  ...hostHandlers,
  ...storagePoolHandlers,
  ...physicalDiskHandlers,
  ...certificateHandlers,
  ...scimTokenHandlers,
  ...scimHandlers,
  ...utilizationHandlers,
  ...forecastHandlers,
  ...usageHandlers,
  ...priceListHandlers,
  ...timeseriesHandlers,
  ...metricHandlers,
  ...auditLogHandlers,
  ...issueHandlers,
  ...notificationHandlers,
  ...overviewHandlers,
  ...jobHandlers,
  ...findHandlers,
  ...starHandlers,
  ...dismissalHandlers,
  ...briefingHandlers,
  ...lightHandlers,
  ...tagHandlers,
  ...noteHandlers,
  ...settingVersionHandlers,
  ...savedViewHandlers,
  ...serviceAccountHandlers,
  ...dashboardHandlers,
}
