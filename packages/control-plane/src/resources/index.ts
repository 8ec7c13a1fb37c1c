/**
 * All resources. Importing a resource declares where its kinds of things are stored; its handlers
 * implement its operations.
 */
import type { tables, operations } from '@steading/api'
import { accessHandlers } from './access/handlers.ts'
import { up as access } from './access/migration.ts'
import { accessTokenHandlers } from './access-tokens/handlers.ts'
import { up as accessTokens } from './access-tokens/migration.ts'
import { addressLotHandlers } from './address-lots/handlers.ts'
import { up as addressLots } from './address-lots/migration.ts'
import { affinityHandlers } from './affinity/handlers.ts'
import { alertReceiverHandlers } from './alert-receivers/handlers.ts'
import { up as alertReceivers } from './alert-receivers/migration.ts'
import { alertRuleHandlers } from './alert-rules/handlers.ts'
import { up as alertRules } from './alert-rules/migration.ts'
import { alertHandlers } from './alerts/handlers.ts'
import { allowListHandlers } from './allow-list/handlers.ts'
import { up as allowList } from './allow-list/migration.ts'
import { authSettingsHandlers } from './auth-settings/handlers.ts'
import { up as authSettings } from './auth-settings/migration.ts'
import { auditLogHandlers } from './audit-log/handlers.ts'
import { authHandlers } from './auth/handlers.ts'
import { bfdHandlers } from './bfd/handlers.ts'
import { up as bfd } from './bfd/migration.ts'
import { bgpHandlers } from './bgp/handlers.ts'
import { up as bgp } from './bgp/migration.ts'
import { certificateHandlers } from './certificates/handlers.ts'
import { up as certificates } from './certificates/migration.ts'
import type { Handlers } from '../kernel/context.ts'
import type { Dialect, Migrations } from '../kernel/db/database.ts'
import { deviceAuthHandlers } from './device-auth/handlers.ts'
import { up as deviceAuth } from './device-auth/migration.ts'
import { contentsHandlers } from './disks/contents-handlers.ts'
import { diskHandlers } from './disks/handlers.ts'
import { importHandlers } from './disks/import-handlers.ts'
import { externalSubnetHandlers } from './external-subnets/handlers.ts'
import { up as externalSubnets } from './external-subnets/migration.ts'
import { findHandlers } from './find/handlers.ts'
import { up as findIndexes } from './find/migration.ts'
import { firewallRuleHandlers } from './firewall-rules/handlers.ts'
import { floatingIpHandlers } from './floating-ips/handlers.ts'
import { groupHandlers } from './groups/handlers.ts'
import { identityProviderHandlers } from './identity-providers/handlers.ts'
import { idpInitiated, up as identityProviders } from './identity-providers/migration.ts'
import { imageHandlers } from './images/handlers.ts'
import { instanceHandlers } from './instances/handlers.ts'
import { serialConsoleHandlers } from './instances/serial-console.ts'
import { internetGatewayHandlers } from './internet-gateways/handlers.ts'
import { up as internetGateways } from './internet-gateways/migration.ts'
import { ipPoolHandlers } from './ip-pools/handlers.ts'
import { up as ipPools } from './ip-pools/migration.ts'
import { systemIpPoolHandlers } from './ip-pools/system-handlers.ts'
import { issueHandlers } from './issues/handlers.ts'
import { jobHandlers } from './jobs/handlers.ts'
import { instanceFailure, lastMachine, unsettledIndex } from './instances/migration.ts'
import { jobDestroys, jobNeeds, jobPlaces } from './jobs/migration.ts'
import { loopbackAddressHandlers } from './loopback-addresses/handlers.ts'
import { up as loopbackAddresses } from './loopback-addresses/migration.ts'
import { multicastGroupHandlers } from './multicast-groups/handlers.ts'
import { up as multicastGroups } from './multicast-groups/migration.ts'
import { networkInterfaceHandlers } from './network-interfaces/handlers.ts'
import { physicalDiskHandlers } from './physical-disks/handlers.ts'
import { networkingSettingsHandlers } from './networking-settings/handlers.ts'
import { policyHandlers } from './policies/handlers.ts'
import { probeHandlers } from './probes/handlers.ts'
import { up as probes } from './probes/migration.ts'
import { projectHandlers } from './projects/handlers.ts'
import { quotaHandlers } from './quotas/handlers.ts'
import { simulationHandlers } from './simulation/handlers.ts'
import { rackHandlers } from './racks/handlers.ts'
import { storage, up as hardware } from './racks/migration.ts'
import { scimHandlers } from './scim/handlers.ts'
import { up as scim } from './scim/migration.ts'
import { scimTokenHandlers } from './scim-tokens/handlers.ts'
import { up as scimTokens } from './scim-tokens/migration.ts'
import { samlLoginHandlers } from './saml-login/handlers.ts'
import { reachabilityHandlers } from './reachability/handlers.ts'
import { roleHandlers } from './roles/handlers.ts'
import { routerHandlers } from './routers/handlers.ts'
import { sortedByAddress, up as routers } from './routers/migration.ts'
import { sessionHandlers } from './sessions/handlers.ts'
import { endings, origins, providerEnds } from './sessions/migration.ts'
import { siloHandlers } from './silos/handlers.ts'
import { listOfSilos } from './silos/migration.ts'
import { sledHandlers } from './sleds/handlers.ts'
import { snapshotHandlers } from './snapshots/handlers.ts'
import { sshKeyHandlers } from './ssh-keys/handlers.ts'
import { starHandlers } from './stars/handlers.ts'
import { up as stars } from './stars/migration.ts'
import { subnetPoolHandlers } from './subnet-pools/handlers.ts'
import { listOfPools, up as subnetPools } from './subnet-pools/migration.ts'
import { systemSubnetPoolHandlers } from './subnet-pools/system-handlers.ts'
import { subnetHandlers } from './subnets/handlers.ts'
import { up as subnets } from './subnets/migration.ts'
import { supportBundleHandlers } from './support-bundles/handlers.ts'
import { up as supportBundles } from './support-bundles/migration.ts'
import { switchHandlers } from './switches/handlers.ts'
import { switchPortSettingsHandlers } from './switch-port-settings/handlers.ts'
import { up as switchPortSettings } from './switch-port-settings/migration.ts'
import { switchPortHandlers } from './switch-ports/handlers.ts'
import { up as switchPorts } from './switch-ports/migration.ts'
import { healthHandlers } from './health/handlers.ts'
import { serverMetricsHandlers } from './server-metrics/handlers.ts'
import { systemHandlers } from './system/handlers.ts'
import { timeseriesHandlers } from './timeseries/handlers.ts'
import { trustRootHandlers } from './trust-roots/handlers.ts'
import { repeatedRoots, up as trustRoots } from './trust-roots/migration.ts'
import { updateHandlers } from './updates/handlers.ts'
import { up as updates } from './updates/migration.ts'
import { updateRepositoryHandlers } from './update-repositories/handlers.ts'
import { up as updateRepositories, uploadUsers } from './update-repositories/migration.ts'
import { userBuiltinHandlers } from './users-builtin/handlers.ts'
import { userHandlers } from './users/handlers.ts'
import { byDisplayName, usersOfProviders, weakPasswords } from './users/migration.ts'
import { up as scrub } from './scrub/migration.ts'
import { up as useHistory } from './forecasts/migration.ts'
import { forecastHandlers } from './forecasts/handlers.ts'
import { up as provisioned } from './metrics/migration.ts'
import { metricHandlers } from './metrics/handlers.ts'
import { utilizationHandlers } from './utilization/handlers.ts'
import { viewHandlers } from './views/handlers.ts'
import { up as views } from './views/migration.ts'
import { dashboardHandlers } from './dashboards/handlers.ts'
import { up as dashboards } from './dashboards/migration.ts'
import { vpcHandlers } from './vpcs/handlers.ts'
import { searchedVpcs } from './vpcs/migration.ts'
import './access-tokens/kind.ts'
import './address-lots/kind.ts'
import './affinity/kind.ts'
import './alert-receivers/kind.ts'
import './alert-rules/kind.ts'
import './alerts/kind.ts'
import './allow-list/table.ts'
import './auth/services.ts'
import './bfd/kind.ts'
import './bgp/kind.ts'
import './certificates/kind.ts'
import './device-auth/table.ts'
import './disks/kind.ts'
import './external-ips/kind.ts'
import './firewall-rules/kind.ts'
import './external-subnets/kind.ts'
import './floating-ips/kind.ts'
import './groups/kind.ts'
import './identity-providers/kind.ts'
import './images/kind.ts'
import './instances/kind.ts'
import './internet-gateways/kind.ts'
import './ip-pools/kind.ts'
import './issues/all.ts'
import './jobs/kind.ts'
import './loopback-addresses/kind.ts'
import './multicast-groups/kind.ts'
import './network-interfaces/kind.ts'
import './physical-disks/kind.ts'
import './policies/deletion.ts'
import './probes/kind.ts'
import './projects/kind.ts'
import './racks/kind.ts'
import './scim/tables.ts'
import './scim-tokens/kind.ts'
import './routers/kind.ts'
import './saml-login/table.ts'
import './sessions/kind.ts'
import './silos/kind.ts'
import './sleds/kind.ts'
import './snapshots/kind.ts'
import './ssh-keys/kind.ts'
import './stars/kind.ts'
import './subnet-pools/kind.ts'
import './subnets/kind.ts'
import './support-bundles/kind.ts'
import './switches/kind.ts'
import './switch-port-settings/kind.ts'
import './switch-ports/kind.ts'
import './trust-roots/kind.ts'
import './update-repositories/kind.ts'
import './updates/kind.ts'
import './users/kind.ts'
import './views/kind.ts'
import './dashboards/kind.ts'
import './vpcs/kind.ts'

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
