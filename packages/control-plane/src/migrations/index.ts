/**
 * The migrations of the control plane since 0.2.0, in the order in which they run. Databases record
 * each by the name of its file.
 */
import { BASELINE } from '../kernel/db/baseline.ts'
import type { Migrations } from '../kernel/db/database.ts'
import { up as baseline } from './baseline.ts'
import { up as instanceNetworks } from './2026-11-26-instance-networks.ts'
import { up as engineFences } from './2026-11-26-engine-fences.ts'
import { up as volumeConversions } from './2026-11-26-volume-conversions.ts'
import { up as snapshotConsistency } from './2026-11-26-volume-snapshot-consistency.ts'
import { up as waitingInstances } from './2026-11-26-waiting-instances.ts'
import { up as watchedSteps } from './2026-11-26-watched-steps.ts'
import { up as webImages } from './2026-11-26-web-images.ts'
import { up as overviews } from './2026-11-27-overviews.ts'
import { up as instanceFirmware } from './2026-11-28-instance-firmware.ts'
import { up as schedules } from './2026-11-28-schedules.ts'
import { up as tags } from './2026-11-28-tags.ts'
import { up as notes } from './2026-11-28-tags-notes.ts'
import { up as notifications } from './2026-11-29-notifications.ts'
import { up as oidc } from './2026-11-30-oidc.ts'
import { up as secondFactors } from './2026-11-30-second-factors.ts'
import { up as serviceAccounts } from './2026-12-01-service-accounts.ts'
import { up as tokenScopes } from './2026-12-01-token-scopes.ts'
import { up as instanceClones } from './2026-12-02-instance-clones.ts'
import { up as instanceTemplates } from './2026-12-05-instance-templates.ts'
import { up as jobTags } from './2026-12-04-job-tags.ts'
import { up as deletedResources } from './2026-12-07-deleted-resources.ts'
import { up as digestTime } from './2026-12-11-digest-time.ts'
import { up as identityGroups } from './2026-12-12-identity-groups.ts'
import { up as identityMandates } from './2026-12-12-identity-mandates.ts'
import { up as identityTopics } from './2026-12-12-identity-topics.ts'
import { up as identityUsers } from './2026-12-12-identity-users.ts'
import { up as images } from './2026-12-12-images.ts'
import { up as actionFacts } from './2026-12-13-action-facts.ts'
import { up as diskChanges } from './2026-12-14-disk-changes.ts'
import { up as settingVersions } from './2026-12-08-setting-versions.ts'
import { up as oidcSignOut } from './2026-12-10-oidc-sign-out.ts'
import { up as searchedProviders } from './2026-12-10-searched-providers.ts'
import { up as searchedServiceAccounts } from './2026-12-10-searched-service-accounts.ts'
import { up as runItems } from './2026-12-13-run-items.ts'
import { up as dismissals } from './2026-12-14-dismissals.ts'
import { up as keptStorage } from './2026-12-14-kept-storage.ts'
import { up as imagePolicy } from './2026-12-15-image-policy.ts'
import { up as userLinks } from './2026-12-15-user-links.ts'
import { up as vpcNetworks } from './2026-12-16-vpc-networks.ts'
import { up as hosts } from './2026-12-17-hosts.ts'
import { up as uplinkHosts } from './2026-12-17-uplink-hosts.ts'
import { up as moveProgress } from './2026-12-18-move-progress.ts'
import { up as hostFencing } from './2026-12-19-host-fencing.ts'
import { up as sledMaintenance } from './2026-12-03-sled-maintenance.ts'
import { up as usage } from './2026-12-06-usage.ts'
import { up as storagePools } from './2026-12-19-storage-pools.ts'
import { up as serverClocks } from './2026-12-21-server-clocks.ts'
import { up as hostClocks } from './2026-12-22-host-clocks.ts'
import { up as mountedPools } from './2026-12-22-mounted-pools.ts'
import { up as tagFilters } from './2026-12-09-tag-filters.ts'

export const migrations: Migrations = {
  [BASELINE]: baseline,
  '2026-11-26-engine-fences': engineFences,
  '2026-11-26-instance-networks': instanceNetworks,
  '2026-11-26-volume-conversions': volumeConversions,
  '2026-11-26-volume-snapshot-consistency': snapshotConsistency,
  '2026-11-26-waiting-instances': waitingInstances,
  '2026-11-26-watched-steps': watchedSteps,
  '2026-11-26-web-images': webImages,
  '2026-11-27-overviews': overviews,
  '2026-11-28-instance-firmware': instanceFirmware,
  '2026-11-28-schedules': schedules,
  '2026-11-28-tags': tags,
  '2026-11-28-tags-notes': notes,
  '2026-11-29-notifications': notifications,
  '2026-11-30-oidc': oidc,
  '2026-11-30-second-factors': secondFactors,
  '2026-12-01-service-accounts': serviceAccounts,
  '2026-12-01-token-scopes': tokenScopes,
  '2026-12-02-instance-clones': instanceClones,
  '2026-12-03-sled-maintenance': sledMaintenance,
  '2026-12-04-job-tags': jobTags,
  '2026-12-05-instance-templates': instanceTemplates,
  '2026-12-06-usage': usage,
  '2026-12-07-deleted-resources': deletedResources,
  '2026-12-08-setting-versions': settingVersions,
  '2026-12-09-tag-filters': tagFilters,
  '2026-12-10-oidc-sign-out': oidcSignOut,
  '2026-12-10-searched-providers': searchedProviders,
  '2026-12-10-searched-service-accounts': searchedServiceAccounts,
  '2026-12-11-digest-time': digestTime,
  '2026-12-12-identity-groups': identityGroups,
  '2026-12-12-identity-mandates': identityMandates,
  '2026-12-12-identity-topics': identityTopics,
  '2026-12-12-identity-users': identityUsers,
  '2026-12-12-images': images,
  '2026-12-13-action-facts': actionFacts,
  '2026-12-13-run-items': runItems,
  '2026-12-14-disk-changes': diskChanges,
  '2026-12-14-dismissals': dismissals,
  '2026-12-14-kept-storage': keptStorage,
  '2026-12-15-image-policy': imagePolicy,
  '2026-12-15-user-links': userLinks,
  '2026-12-16-vpc-networks': vpcNetworks,
  '2026-12-17-hosts': hosts,
  '2026-12-17-uplink-hosts': uplinkHosts,
  '2026-12-18-move-progress': moveProgress,
  '2026-12-19-host-fencing': hostFencing,
  '2026-12-19-storage-pools': storagePools,
  '2026-12-21-server-clocks': serverClocks,
  '2026-12-22-host-clocks': hostClocks,
  '2026-12-22-mounted-pools': mountedPools,
}
