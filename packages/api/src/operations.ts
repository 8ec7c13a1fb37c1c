import { accessOperations } from './identity/access/operations.ts'
import { accessTokenOperations } from './identity/access-tokens/operations.ts'
import { addressLotOperations } from './system-networking/address-lots/operations.ts'
import { affinityOperations } from './compute/affinity/operations.ts'
import { alertReceiverOperations } from './observability/alert-receivers/operations.ts'
import { alertRuleOperations } from './observability/alert-rules/operations.ts'
import { alertOperations } from './observability/alerts/operations.ts'
import { allowListOperations } from './system-networking/allow-list/operations.ts'
import { authSettingsOperations } from './identity/auth-settings/operations.ts'
import { auditLogOperations } from './observability/audit-log/operations.ts'
import { authOperations } from './identity/auth/operations.ts'
import { bfdOperations } from './system-networking/bfd/operations.ts'
import { bgpOperations } from './system-networking/bgp/operations.ts'
import { certificateOperations } from './identity/certificates/operations.ts'
import { composeOperations } from './compose.ts'
import { deviceAuthOperations } from './identity/device-auth/operations.ts'
import { bootSourceOperations } from './storage/boot-sources/operations.ts'
import { diskContentsOperations } from './storage/disks/contents-operations.ts'
import { diskChangeOperations } from './storage/disks/change-operations.ts'
import { diskImportOperations } from './storage/disks/import-operations.ts'
import { diskOperations } from './storage/disks/operations.ts'
import { eventOperations } from './events/operations.ts'
import { externalSubnetOperations } from './networking/external-subnets/operations.ts'
import { findOperations } from './workspace/find/operations.ts'
import { firewallRuleOperations } from './networking/firewall-rules/operations.ts'
import { floatingIpOperations } from './networking/floating-ips/operations.ts'
import { groupOperations } from './identity/groups/operations.ts'
import { healthOperations } from './maintenance/health/operations.ts'
import { identityProviderOperations } from './identity/identity-providers/operations.ts'
import { imageOperations } from './storage/images/operations.ts'
import { imageCatalogOperations } from './storage/image-catalog/operations.ts'
import { imagePolicyOperations } from './storage/image-policy/operations.ts'
import { imageDownloadOperations } from './storage/image-downloads/operations.ts'
import { serialConsoleOperations } from './compute/instances/console-operations.ts'
import { displayOperations } from './compute/instances/display-operations.ts'
import { instanceOperations } from './compute/instances/operations.ts'
import { internetGatewayOperations } from './networking/internet-gateways/operations.ts'
import { ipPoolOperations } from './networking/ip-pools/operations.ts'
import { systemIpPoolOperations } from './networking/ip-pools/system-operations.ts'
import { issueOperations } from './observability/issues/operations.ts'
import { jobOperations } from './workspace/jobs/operations.ts'
import { loopbackAddressOperations } from './system-networking/loopback-addresses/operations.ts'
import { multicastGroupOperations } from './networking/multicast-groups/operations.ts'
import { networkInterfaceOperations } from './networking/network-interfaces/operations.ts'
import { networkingSettingsOperations } from './system-networking/networking-settings/operations.ts'
import type { Operation } from './operation.ts'
import { notificationOperations } from './observability/notifications/operations.ts'
import { overviewOperations } from './observability/overview/operations.ts'
import { physicalDiskOperations } from './hardware/physical-disks/operations.ts'
import { policyOperations } from './identity/policies/operations.ts'
import { probeOperations } from './networking/probes/operations.ts'
import { projectTerraformOperations } from './tenancy/project-terraform/operations.ts'
import { projectOperations } from './tenancy/projects/operations.ts'
import { quotaOperations } from './tenancy/quotas/operations.ts'
import { rackOperations } from './hardware/racks/operations.ts'
import { routerOperations } from './networking/routers/operations.ts'
import { deletedResourceOperations } from './workspace/deleted-resources/operations.ts'
import { scheduleOperations } from './compute/schedules/operations.ts'
import { instanceCloneOperations } from './compute/instance-clones/operations.ts'
import { instanceTemplateOperations } from './compute/instance-templates/operations.ts'
import { scimOperations } from './identity/scim/operations.ts'
import { scimTokenOperations } from './identity/scim-tokens/operations.ts'
import { secondFactorOperations } from './identity/second-factors/operations.ts'
import { oidcLoginOperations } from './identity/oidc-login/operations.ts'
import { oidcProviderOperations } from './identity/oidc-providers/operations.ts'
import { samlLoginOperations } from './identity/saml-login/operations.ts'
import { instanceNetworkOperations } from './networking/instance-networks/operations.ts'
import { vpcNetworkOperations } from './networking/vpc-networks/operations.ts'
import { reachabilityOperations } from './networking/reachability/operations.ts'
import { roleOperations } from './identity/roles/operations.ts'
import { serviceAccountOperations } from './identity/service-accounts/operations.ts'
import { sessionOperations } from './identity/sessions/operations.ts'
import { serverMetricsOperations } from './observability/server-metrics/operations.ts'
import { siloOperations } from './tenancy/silos/operations.ts'
import { simulationOperations } from './hardware/simulation/operations.ts'
import { moveOperations } from './compute/moves/operations.ts'
import { hostFencingOperations } from './hardware/host-fencing/operations.ts'
import { hostOperations } from './hardware/hosts/operations.ts'
import { storagePoolOperations } from './storage/storage-pools/operations.ts'
import { sledMaintenanceOperations } from './hardware/sled-maintenance/operations.ts'
import { sledOperations } from './hardware/sleds/operations.ts'
import { snapshotOperations } from './storage/snapshots/operations.ts'
import { sshKeyOperations } from './identity/ssh-keys/operations.ts'
import { starOperations } from './workspace/stars/operations.ts'
import { briefingOperations } from './observability/briefings/operations.ts'
import { lightOperations } from './observability/lights/operations.ts'
import { dismissalOperations } from './workspace/dismissals/operations.ts'
import { subnetPoolOperations } from './networking/subnet-pools/operations.ts'
import { systemSubnetPoolOperations } from './networking/subnet-pools/system-operations.ts'
import { subnetOperations } from './networking/subnets/operations.ts'
import { switchPortSettingsOperations } from './system-networking/switch-port-settings/operations.ts'
import { switchPortOperations } from './system-networking/switch-ports/operations.ts'
import { supportBundleOperations } from './maintenance/support-bundles/operations.ts'
import { switchOperations } from './hardware/switches/operations.ts'
import { systemOperations } from './maintenance/system/operations.ts'
import { trustRootOperations } from './maintenance/trust-roots/operations.ts'
import { noteOperations } from './workspace/notes/operations.ts'
import { tagOperations } from './workspace/tags/operations.ts'
import { timeseriesOperations } from './observability/timeseries/operations.ts'
import { updateOperations } from './maintenance/updates/operations.ts'
import { updateRepositoryOperations } from './maintenance/update-repositories/operations.ts'
import { userBuiltinOperations } from './identity/users-builtin/operations.ts'
import { userLinkOperations } from './identity/user-links/operations.ts'
import { userIdentityOperations } from './identity/user-identities/operations.ts'
import { userOperations } from './identity/users/operations.ts'
import { forecastOperations } from './observability/forecasts/operations.ts'
import { priceListOperations } from './tenancy/price-list/operations.ts'
import { usageOperations } from './tenancy/usage/operations.ts'
import { metricOperations } from './observability/metrics/operations.ts'
import { utilizationOperations } from './tenancy/utilization/operations.ts'
import { settingVersionOperations } from './workspace/setting-versions/operations.ts'
import { savedViewOperations } from './workspace/views/operations.ts'
import type { EnginePart } from './maintenance/system/engine.ts'
import { dashboardOperations } from './observability/dashboards/operations.ts'
import { vpcOperations } from './networking/vpcs/operations.ts'

/** The operation tables of the resources. All operations and handler types derive from them. */
export const tables = {
  systemOperations,
  healthOperations,
  serverMetricsOperations,
  authOperations,
  identityProviderOperations,
  samlLoginOperations,
  oidcProviderOperations,
  oidcLoginOperations,
  secondFactorOperations,
  deviceAuthOperations,
  accessTokenOperations,
  sessionOperations,
  authSettingsOperations,
  userOperations,
  userIdentityOperations,
  userLinkOperations,
  userBuiltinOperations,
  roleOperations,
  groupOperations,
  sshKeyOperations,
  policyOperations,
  accessOperations,
  projectOperations,
  projectTerraformOperations,
  instanceOperations,
  instanceCloneOperations,
  serialConsoleOperations,
  displayOperations,
  diskOperations,
  diskChangeOperations,
  diskImportOperations,
  diskContentsOperations,
  bootSourceOperations,
  imageOperations,
  imageDownloadOperations,
  imageCatalogOperations,
  imagePolicyOperations,
  snapshotOperations,
  vpcOperations,
  subnetOperations,
  firewallRuleOperations,
  routerOperations,
  internetGatewayOperations,
  networkInterfaceOperations,
  reachabilityOperations,
  instanceNetworkOperations,
  vpcNetworkOperations,
  floatingIpOperations,
  externalSubnetOperations,
  probeOperations,
  affinityOperations,
  multicastGroupOperations,
  ipPoolOperations,
  systemIpPoolOperations,
  subnetPoolOperations,
  systemSubnetPoolOperations,
  addressLotOperations,
  loopbackAddressOperations,
  bgpOperations,
  bfdOperations,
  networkingSettingsOperations,
  allowListOperations,
  switchPortOperations,
  switchPortSettingsOperations,
  alertOperations,
  alertReceiverOperations,
  alertRuleOperations,
  scheduleOperations,
  instanceTemplateOperations,
  deletedResourceOperations,
  trustRootOperations,
  updateRepositoryOperations,
  supportBundleOperations,
  updateOperations,
  siloOperations,
  quotaOperations,
  rackOperations,
  switchOperations,
  moveOperations,
  sledMaintenanceOperations,
  sledOperations,
  hostOperations,
  storagePoolOperations,
  hostFencingOperations,
  physicalDiskOperations,
  simulationOperations,
  certificateOperations,
  scimTokenOperations,
  scimOperations,
  utilizationOperations,
  forecastOperations,
  usageOperations,
  priceListOperations,
  timeseriesOperations,
  metricOperations,
  eventOperations,
  auditLogOperations,
  issueOperations,
  notificationOperations,
  overviewOperations,
  jobOperations,
  findOperations,
  starOperations,
  dismissalOperations,
  briefingOperations,
  lightOperations,
  tagOperations,
  noteOperations,
  settingVersionOperations,
  savedViewOperations,
  serviceAccountOperations,
  dashboardOperations,
} as const

/** Every operation of the contract that this control plane implements, by operation id. */
export const operations = composeOperations(...Object.values(tables))

export type OperationId = keyof typeof operations
/** The table, typed as rows with the same optional columns. */
export const operationTable: Record<OperationId, Operation> = operations

/** Tables whose operations need a part of the engine. */
const ofEngineParts: Partial<Record<EnginePart, readonly object[]>> = {
  uplinks: [
    addressLotOperations,
    loopbackAddressOperations,
    bgpOperations,
    bfdOperations,
    switchPortOperations,
    switchPortSettingsOperations,
  ],
  updates: [trustRootOperations, updateRepositoryOperations, updateOperations],
  multicast: [multicastGroupOperations],
  enrolment: [hostOperations],
  storagePools: [storagePoolOperations],
  fencing: [hostFencingOperations],
}

const partOfOperation = new Map(
  Object.entries(ofEngineParts).flatMap(([part, its]) =>
    its.flatMap((table) => Object.keys(table).map((id) => [id, part as EnginePart] as const)),
  ),
)

/** The part of the engine that an operation needs; 501 with an engine that lacks it. */
export const enginePartOf = (id: OperationId): EnginePart | undefined => partOfOperation.get(id)

/** Operations that open a WebSocket. */
export type SocketOperationId = {
  [Id in OperationId]: (typeof operations)[Id] extends { websocket: true } ? Id : never
}[OperationId]
