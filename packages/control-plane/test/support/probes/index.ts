/**
 * Probes: one or two calls of each operation, for tests that go through all operations with all
 * kinds of callers.
 */
import { accessProbes } from './access.ts'
import { affinityProbes } from './affinity.ts'
import { instanceTemplatesProbes } from './instance-templates.ts'
import { schedulesProbes } from './schedules.ts'
import { alertRulesProbes } from './alert-rules.ts'
import { alertsProbes } from './alerts.ts'
import { auditLogProbes } from './audit-log.ts'
import { authProbes } from './auth.ts'
import { certificatesProbes } from './certificates.ts'
import { deletedResourcesProbes } from './deleted-resources.ts'
import { dashboardProbes } from './dashboards.ts'
import { disksProbes } from './disks.ts'
import { firewallRulesProbes } from './firewall-rules.ts'
import { externalSubnetsProbes } from './external-subnets.ts'
import { floatingIpsProbes } from './floating-ips.ts'
import { hardwareProbes } from './hardware.ts'
import { hostsProbes } from './hosts.ts'
import { storagePoolsProbes } from './storage-pools.ts'
import { identityProvidersProbes } from './identity-providers.ts'
import { imageDownloadsProbes } from './image-downloads.ts'
import { imagesProbes } from './images.ts'
import { instancesProbes } from './instances.ts'
import { internetGatewaysProbes } from './internet-gateways.ts'
import { ipPoolsProbes } from './ip-pools.ts'
import { jobsProbes } from './jobs.ts'
import { multicastGroupsProbes } from './multicast-groups.ts'
import { networkInterfacesProbes } from './network-interfaces.ts'
import { oidcProbes } from './oidc.ts'
import { notificationsProbes } from './notifications.ts'
import { policiesProbes } from './policies.ts'
import { probesProbes } from './probes.ts'
import { projectsProbes } from './projects.ts'
import { reachabilityProbes } from './reachability.ts'
import { routersProbes } from './routers.ts'
import { scimProbes } from './scim.ts'
import { serviceAccountsProbes } from './service-accounts.ts'
import { secondFactorsProbes } from './second-factors.ts'
import { settingVersionsProbes } from './setting-versions.ts'
import { silosProbes } from './silos.ts'
import { snapshotsProbes } from './snapshots.ts'
import { sshKeysProbes } from './ssh-keys.ts'
import { starsProbes } from './stars.ts'
import { subnetPoolsProbes } from './subnet-pools.ts'
import { tagsProbes } from './tags.ts'
import { supportBundlesProbes } from './support-bundles.ts'
import { systemProbes } from './system.ts'
import { timeseriesProbes } from './timeseries.ts'
import { uplinksProbes } from './uplinks.ts'
import { updatesProbes } from './updates.ts'
import { usersProbes } from './users.ts'
import { viewsProbes } from './views.ts'
import { vpcsProbes } from './vpcs.ts'
import type { OperationId } from '@steading/api'
import type { Probe, Probes } from './probe.ts'

export const probes: Probes = {
  ...accessProbes,
  ...affinityProbes,
  ...alertRulesProbes,
  ...schedulesProbes,
  ...instanceTemplatesProbes,
  ...alertsProbes,
  ...auditLogProbes,
  ...authProbes,
  ...certificatesProbes,
  ...serviceAccountsProbes,
  ...dashboardProbes,
  ...deletedResourcesProbes,
  ...disksProbes,
  ...firewallRulesProbes,
  ...externalSubnetsProbes,
  ...floatingIpsProbes,
  ...hardwareProbes,
  ...hostsProbes,
  ...storagePoolsProbes,
  ...identityProvidersProbes,
  ...imageDownloadsProbes,
  ...imagesProbes,
  ...instancesProbes,
  ...internetGatewaysProbes,
  ...ipPoolsProbes,
  ...jobsProbes,
  ...multicastGroupsProbes,
  ...networkInterfacesProbes,
  ...oidcProbes,
  ...notificationsProbes,
  ...policiesProbes,
  ...probesProbes,
  ...projectsProbes,
  ...reachabilityProbes,
  ...routersProbes,
  ...scimProbes,
  ...secondFactorsProbes,
  ...settingVersionsProbes,
  ...silosProbes,
  ...snapshotsProbes,
  ...sshKeysProbes,
  ...starsProbes,
  ...subnetPoolsProbes,
  ...supportBundlesProbes,
  ...systemProbes,
  ...tagsProbes,
  ...timeseriesProbes,
  ...uplinksProbes,
  ...updatesProbes,
  ...usersProbes,
  ...viewsProbes,
  ...vpcsProbes,
}

/** The probes of an operation that is not known before: a union of all types is too large. */
export const probeOf = (id: OperationId): Probe | Record<string, Probe> =>
  (probes as unknown as Record<OperationId, Probe | Record<string, Probe>>)[id]
