/**
 * The migrations of the control plane, in the order in which they run, with the names under which
 * databases record them. A new one is recorded by the name of its file. Those up to 0.2.0 are
 * recorded by numbers, which sort before all dates.
 */
import type { Migrations } from '../kernel/db/database.ts'
import { up as foundation } from './2026-11-20-foundation.ts'
import { up as affinity } from './2026-11-20-affinity.ts'
import { up as storage } from './2026-11-20-storage.ts'
import { up as lists } from './2026-11-20-lists.ts'
import { up as jobs } from './2026-11-20-jobs.ts'
import { up as deletion } from './2026-11-20-deletion.ts'
import { up as moreLists } from './2026-11-22-more-lists.ts'
import { up as leases } from './2026-11-22-leases.ts'
import { up as events } from './2026-11-22-events.ts'
import { up as addresses } from './2026-11-22-addresses.ts'
import { up as purge } from './2026-11-22-purge.ts'
import { up as jobNeeds } from './2026-11-22-job-needs.ts'
import { up as lastMachine } from './2026-11-22-last-machine.ts'
import { up as jobDestroys } from './2026-11-22-job-destroys.ts'
import { up as instanceNetworks } from './2026-11-26-instance-networks.ts'
import { up as instanceFailure } from './2026-11-22-instance-failure.ts'
import { up as find } from './2026-11-22-find.ts'
import { up as nameKeys } from './2026-11-22-name-keys.ts'
import { up as stars } from './2026-11-22-stars.ts'
import { up as views } from './2026-11-22-views.ts'
import { up as eventAuthors } from './2026-11-22-event-authors.ts'
import { up as sessions } from './2026-11-22-sessions.ts'
import { up as accessTokens } from './2026-11-22-access-tokens.ts'
import { up as deviceAuth } from './2026-11-22-device-auth.ts'
import { up as authSettings } from './2026-11-22-auth-settings.ts'
import { up as auditLog } from './2026-11-22-audit-log.ts'
import { up as certificates } from './2026-11-22-certificates.ts'
import { up as usersOfProviders } from './2026-11-22-users-of-providers.ts'
import { up as access } from './2026-11-22-access.ts'
import { up as identityProviders } from './2026-11-22-identity-providers.ts'
import { up as scim } from './2026-11-22-scim.ts'
import { up as scimTokens } from './2026-11-22-scim-tokens.ts'
import { up as endedSessions } from './2026-11-22-ended-sessions.ts'
import { up as usersByName } from './2026-11-22-users-by-name.ts'
import { up as subnetPools } from './2026-11-22-subnet-pools.ts'
import { up as vpcs } from './2026-11-22-vpcs.ts'
import { up as externalSubnets } from './2026-11-22-external-subnets.ts'
import { up as routers } from './2026-11-22-routers.ts'
import { up as sessionEnds } from './2026-11-22-session-ends.ts'
import { up as internetGateways } from './2026-11-22-internet-gateways.ts'
import { up as ipPools } from './2026-11-22-ip-pools.ts'
import { up as subnets } from './2026-11-22-subnets.ts'
import { up as systemSubnetPools } from './2026-11-22-system-subnet-pools.ts'
import { up as jobPlaces } from './2026-11-22-job-places.ts'
import { up as hardware } from './2026-11-22-hardware.ts'
import { up as replicas } from './2026-11-22-replicas.ts'
import { up as listOfSilos } from './2026-11-22-list-of-silos.ts'
import { up as routesByAddress } from './2026-11-22-routes-by-address.ts'
import { up as alertReceivers } from './2026-11-22-alert-receivers.ts'
import { up as addressLots } from './2026-11-22-address-lots.ts'
import { up as loopbackAddresses } from './2026-11-22-loopback-addresses.ts'
import { up as switchPorts } from './2026-11-22-switch-ports.ts'
import { up as bgp } from './2026-11-22-bgp.ts'
import { up as bfd } from './2026-11-22-bfd.ts'
import { up as multicastGroups } from './2026-11-22-multicast-groups.ts'
import { up as switchPortSettings } from './2026-11-23-switch-port-settings.ts'
import { up as allowList } from './2026-11-23-allow-list.ts'
import { up as unsettledInstances } from './2026-11-23-unsettled-instances.ts'
import { up as trustRoots } from './2026-11-23-trust-roots.ts'
import { up as updateRepositories } from './2026-11-23-update-repositories.ts'
import { up as updates } from './2026-11-23-updates.ts'
import { up as supportBundles } from './2026-11-23-support-bundles.ts'
import { up as useHistory } from './2026-11-23-use-history.ts'
import { up as provisioned } from './2026-11-23-provisioned.ts'
import { up as probes } from './2026-11-23-probes.ts'
import { up as alertRules } from './2026-11-23-alert-rules.ts'
import { up as dashboards } from './2026-11-23-dashboards.ts'
import { up as fewerIndexes } from './2026-11-23-fewer-indexes.ts'
import { up as stepFailures } from './2026-11-24-step-failures.ts'
import { up as idpInitiatedSignIn } from './2026-11-24-idp-initiated-sign-in.ts'
import { up as weakPasswords } from './2026-11-24-weak-passwords.ts'
import { up as scrub } from './2026-11-24-scrub.ts'
import { up as uploadUsers } from './2026-11-24-upload-users.ts'
import { up as repeatedTrustRoots } from './2026-11-24-repeated-trust-roots.ts'
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
import { up as settingVersions } from './2026-12-08-setting-versions.ts'
import { up as oidcSignOut } from './2026-12-10-oidc-sign-out.ts'
import { up as searchedProviders } from './2026-12-10-searched-providers.ts'
import { up as searchedServiceAccounts } from './2026-12-10-searched-service-accounts.ts'
import { up as sledMaintenance } from './2026-12-03-sled-maintenance.ts'
import { up as usage } from './2026-12-06-usage.ts'
import { up as tagFilters } from './2026-12-09-tag-filters.ts'

export const migrations: Migrations = {
  '0001-foundation': foundation,
  '0002-affinity': affinity,
  '0003-storage': storage,
  '0004-lists': lists,
  '0005-jobs': jobs,
  '0006-deletion': deletion,
  '0007-more-lists': moreLists,
  '0008-leases': leases,
  '0009-events': events,
  '0010-addresses': addresses,
  '0011-purge': purge,
  '0012-job-needs': jobNeeds,
  '0013-last-machine': lastMachine,
  '0014-job-destroys': jobDestroys,
  '0015-instance-failure': instanceFailure,
  '0016-find': find,
  '0016-name-keys': nameKeys,
  '0017-stars': stars,
  '0018-views': views,
  '0019-event-authors': eventAuthors,
  '0020-sessions': sessions,
  '0021-access-tokens': accessTokens,
  '0022-device-auth': deviceAuth,
  '0023-auth-settings': authSettings,
  '0024-audit-log': auditLog,
  '0031-certificates': certificates,
  '0032-users-of-providers': usersOfProviders,
  '0033-access': access,
  '0034-identity-providers': identityProviders,
  '0035-scim': scim,
  '0035-scim-tokens': scimTokens,
  '0038-ended-sessions': endedSessions,
  '0039-users-by-name': usersByName,
  '0040-subnet-pools': subnetPools,
  '0040-vpcs': vpcs,
  '0041-external-subnets': externalSubnets,
  '0042-routers': routers,
  '0042-session-ends': sessionEnds,
  '0043-internet-gateways': internetGateways,
  '0043-ip-pools': ipPools,
  '0044-subnets': subnets,
  '0044-system-subnet-pools': systemSubnetPools,
  '0049-job-places': jobPlaces,
  '0050-hardware': hardware,
  '0051-replicas': replicas,
  '0052-list-of-silos': listOfSilos,
  '0053-routes-by-address': routesByAddress,
  '0055-alert-receivers': alertReceivers,
  '0058-address-lots': addressLots,
  '0059-loopback-addresses': loopbackAddresses,
  '0060-switch-ports': switchPorts,
  '0061-bgp': bgp,
  '0062-bfd': bfd,
  '0068-multicast-groups': multicastGroups,
  '0070-switch-port-settings': switchPortSettings,
  '0071-allow-list': allowList,
  '0074-unsettled-instances': unsettledInstances,
  '0076-trust-roots': trustRoots,
  '0077-update-repositories': updateRepositories,
  '0079-updates': updates,
  '0080-support-bundles': supportBundles,
  '0086-use-history': useHistory,
  '0090-provisioned': provisioned,
  '0092-probes': probes,
  '0094-alert-rules': alertRules,
  '0095-dashboards': dashboards,
  '0096-fewer-indexes': fewerIndexes,
  '0105-step-failures': stepFailures,
  '0110-idp-initiated-sign-in': idpInitiatedSignIn,
  '0111-weak-passwords': weakPasswords,
  '0112-scrub': scrub,
  '0115-upload-users': uploadUsers,
  '0123-repeated-trust-roots': repeatedTrustRoots,
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
}
