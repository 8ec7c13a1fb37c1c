import { accessOperations } from './access/operations.ts'
import { accessTokenOperations } from './access-tokens/operations.ts'
import { addressLotOperations } from './address-lots/operations.ts'
import { affinityOperations } from './affinity/operations.ts'
import { alertReceiverOperations } from './alert-receivers/operations.ts'
import { alertRuleOperations } from './alert-rules/operations.ts'
import { alertOperations } from './alerts/operations.ts'
import { allowListOperations } from './allow-list/operations.ts'
import { authSettingsOperations } from './auth-settings/operations.ts'
import { auditLogOperations } from './audit-log/operations.ts'
import { authOperations } from './auth/operations.ts'
import { bfdOperations } from './bfd/operations.ts'
import { bgpOperations } from './bgp/operations.ts'
import { certificateOperations } from './certificates/operations.ts'
import { composeOperations } from './compose.ts'
import { deviceAuthOperations } from './device-auth/operations.ts'
import { diskContentsOperations } from './disks/contents-operations.ts'
import { diskImportOperations } from './disks/import-operations.ts'
import { diskOperations } from './disks/operations.ts'
import { eventOperations } from './events/operations.ts'
import { externalSubnetOperations } from './external-subnets/operations.ts'
import { findOperations } from './find/operations.ts'
import { firewallRuleOperations } from './firewall-rules/operations.ts'
import { floatingIpOperations } from './floating-ips/operations.ts'
import { groupOperations } from './groups/operations.ts'
import { healthOperations } from './health/operations.ts'
import { identityProviderOperations } from './identity-providers/operations.ts'
import { imageOperations } from './images/operations.ts'
import { serialConsoleOperations } from './instances/console-operations.ts'
import { instanceOperations } from './instances/operations.ts'
import { internetGatewayOperations } from './internet-gateways/operations.ts'
import { ipPoolOperations } from './ip-pools/operations.ts'
import { systemIpPoolOperations } from './ip-pools/system-operations.ts'
import { issueOperations } from './issues/operations.ts'
import { jobOperations } from './jobs/operations.ts'
import { loopbackAddressOperations } from './loopback-addresses/operations.ts'
import { multicastGroupOperations } from './multicast-groups/operations.ts'
import { networkInterfaceOperations } from './network-interfaces/operations.ts'
import { networkingSettingsOperations } from './networking-settings/operations.ts'
import type { Operation } from './operation.ts'
import { physicalDiskOperations } from './physical-disks/operations.ts'
import { policyOperations } from './policies/operations.ts'
import { probeOperations } from './probes/operations.ts'
import { projectOperations } from './projects/operations.ts'
import { quotaOperations } from './quotas/operations.ts'
import { rackOperations } from './racks/operations.ts'
import { routerOperations } from './routers/operations.ts'
import { scimOperations } from './scim/operations.ts'
import { scimTokenOperations } from './scim-tokens/operations.ts'
import { samlLoginOperations } from './saml-login/operations.ts'
import { reachabilityOperations } from './reachability/operations.ts'
import { roleOperations } from './roles/operations.ts'
import { sessionOperations } from './sessions/operations.ts'
import { serverMetricsOperations } from './server-metrics/operations.ts'
import { siloOperations } from './silos/operations.ts'
import { simulationOperations } from './simulation/operations.ts'
import { sledOperations } from './sleds/operations.ts'
import { snapshotOperations } from './snapshots/operations.ts'
import { sshKeyOperations } from './ssh-keys/operations.ts'
import { starOperations } from './stars/operations.ts'
import { subnetPoolOperations } from './subnet-pools/operations.ts'
import { systemSubnetPoolOperations } from './subnet-pools/system-operations.ts'
import { subnetOperations } from './subnets/operations.ts'
import { switchPortSettingsOperations } from './switch-port-settings/operations.ts'
import { switchPortOperations } from './switch-ports/operations.ts'
import { supportBundleOperations } from './support-bundles/operations.ts'
import { switchOperations } from './switches/operations.ts'
import { systemOperations } from './system/operations.ts'
import { trustRootOperations } from './trust-roots/operations.ts'
import { timeseriesOperations } from './timeseries/operations.ts'
import { updateOperations } from './updates/operations.ts'
import { updateRepositoryOperations } from './update-repositories/operations.ts'
import { userBuiltinOperations } from './users-builtin/operations.ts'
import { userOperations } from './users/operations.ts'
import { forecastOperations } from './forecasts/operations.ts'
import { metricOperations } from './metrics/operations.ts'
import { utilizationOperations } from './utilization/operations.ts'
import { viewOperations } from './views/operations.ts'
import { dashboardOperations } from './dashboards/operations.ts'
import { vpcOperations } from './vpcs/operations.ts'

/** The tables of the resources. All operations and the types of handlers derive from them. */
export const tables = {
  systemOperations,
  healthOperations,
  serverMetricsOperations,
  authOperations,
  identityProviderOperations,
  samlLoginOperations,
  deviceAuthOperations,
  accessTokenOperations,
  sessionOperations,
  authSettingsOperations,
  userOperations,
  userBuiltinOperations,
  roleOperations,
  groupOperations,
  sshKeyOperations,
  policyOperations,
  accessOperations,
  projectOperations,
  instanceOperations,
  serialConsoleOperations,
  diskOperations,
  diskImportOperations,
  diskContentsOperations,
  imageOperations,
  snapshotOperations,
  vpcOperations,
  subnetOperations,
  firewallRuleOperations,
  routerOperations,
  internetGatewayOperations,
  networkInterfaceOperations,
  reachabilityOperations,
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
  trustRootOperations,
  updateRepositoryOperations,
  supportBundleOperations,
  updateOperations,
  siloOperations,
  quotaOperations,
  rackOperations,
  switchOperations,
  sledOperations,
  physicalDiskOperations,
  simulationOperations,
  certificateOperations,
  scimTokenOperations,
  scimOperations,
  utilizationOperations,
  forecastOperations,
  timeseriesOperations,
  metricOperations,
  eventOperations,
  auditLogOperations,
  issueOperations,
  jobOperations,
  findOperations,
  starOperations,
  viewOperations,
  dashboardOperations,
} as const

/** Every operation of the contract that this control plane implements, by operation id. */
export const operations = composeOperations(...Object.values(tables))

export type OperationId = keyof typeof operations
/** The table seen as rows that all have the same optional columns. */
export const operationTable: Record<OperationId, Operation> = operations

/** Operations that open a WebSocket. */
export type SocketOperationId = {
  [Id in OperationId]: (typeof operations)[Id] extends { websocket: true } ? Id : never
}[OperationId]
