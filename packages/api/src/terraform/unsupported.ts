/** Operations without a resource in the provider, with the reasons. */
import type { MethodName } from '../client/index.ts'

const JOB =
  'it has no bulk actions except deleting resources removed from the configuration, one after the other.'

const CREDENTIAL = 'it does not support credentials and sessions.'

const USER = 'it does not support users and groups.'

const CERTIFICATE = 'it supports certificates only as a part of a new silo.'

const POLICY = 'it has no resource for policies.'

const ATTACHED = 'it has no resource for attachments of an internet gateway.'

const UPLINK = 'it supports only address lots and port settings of external connectivity.'

const HARDWARE = 'it does not support the hardware of the rack.'

const VIEW = 'it does not support the views of this console.'

const DASHBOARD = 'it does not support the dashboards of this console.'

const DOWNLOAD = 'it makes images of snapshots only.'

const AFFINITY = 'it supports only anti-affinity groups.'

const PROBE = 'it does not support probes.'
const ALERT_RULE = 'it does not support alert rules.'
const NOTIFICATION = 'it does not support notifications.'
const DELETED = 'it does not support deleted resources.'
const SCHEDULE = 'it does not support schedules.'
const TEMPLATE = 'it does not support templates; a module with variables has the same use.'
const SIGN_IN_SETTINGS = 'it does not support sign-in settings.'
const OIDC = 'it supports SAML identity providers only.'
const SIGN_IN_POLICY = 'it does not support the sign-in policy of a silo.'
const AUTH_SETTINGS = 'it does not support the authentication settings of a silo.'

const QUERY = 'it declares resources, and this reads measurements.'

export const unsupportedReasons: { [M in MethodName]?: string } = {
  timeseriesQuery: QUERY,
  systemTimeseriesQuery: QUERY,
  taggedTimeseriesQuery: QUERY,
  systemTaggedTimeseriesQuery: QUERY,
  notificationSubscriptionCreate: NOTIFICATION,
  notificationSubscriptionUpdate: NOTIFICATION,
  notificationSubscriptionDelete: NOTIFICATION,
  notificationSettingsUpdate: NOTIFICATION,
  instanceClone: 'it makes instances of images and snapshots.',
  instanceStart: 'it declares resources, and does not start existing instances.',
  instanceStop: 'it declares resources, and does not stop existing instances.',
  instanceReboot: 'a reboot leaves nothing to declare.',
  authSettingsUpdate: AUTH_SETTINGS,
  samlSignInSettingsUpdate: SIGN_IN_SETTINGS,
  userIdentityLink: SIGN_IN_SETTINGS,
  userIdentityUnlink: SIGN_IN_SETTINGS,
  identityProviderAdoptUsers: SIGN_IN_SETTINGS,
  signInPolicyUpdate: SIGN_IN_POLICY,
  userFactorsDelete: CREDENTIAL,
  factorSetupBegin: CREDENTIAL,
  factorSetup: CREDENTIAL,
  factorRemove: CREDENTIAL,
  recoveryCodesCreate: CREDENTIAL,
  passkeyUpdate: CREDENTIAL,
  oidcIdentityProviderCreate: OIDC,
  oidcIdentityProviderUpdate: OIDC,
  oidcIdentityProviderDelete: OIDC,
  samlIdentityProviderDelete: 'it does not delete identity providers.',
  affinityGroupCreate: AFFINITY,
  affinityGroupUpdate: AFFINITY,
  affinityGroupDelete: AFFINITY,
  affinityGroupMemberInstanceAdd: AFFINITY,
  affinityGroupMemberInstanceDelete: AFFINITY,
  imageDownloadCreate: DOWNLOAD,
  imageDownloadCancel: DOWNLOAD,
  imageCatalogUpdate: 'it does not support the list of well-known images.',
  priceListUpdate: 'it does not support prices.',
  imagePromote: 'images it makes stay in their project.',
  imageDemote: 'images it makes belong to a project from the start.',
  jobCreate: JOB,
  jobStart: JOB,
  viewCreate: VIEW,
  viewUpdate: VIEW,
  viewDelete: VIEW,
  dashboardCreate: DASHBOARD,
  dashboardUpdate: DASHBOARD,
  dashboardDelete: DASHBOARD,
  internetGatewayIpPoolCreate: ATTACHED,
  internetGatewayIpPoolDelete: ATTACHED,
  internetGatewayIpAddressCreate: ATTACHED,
  internetGatewayIpAddressDelete: ATTACHED,
  sledSetProvisionPolicy: HARDWARE,
  sledExpunge: HARDWARE,
  sledMaintenanceBegin: HARDWARE,
  sledMaintenanceUpdate: HARDWARE,
  sledMaintenancePause: HARDWARE,
  sledMaintenanceResume: HARDWARE,
  sledMaintenanceEnd: HARDWARE,
  instanceMove: HARDWARE,
  physicalDiskExpunge: HARDWARE,
  physicalDiskEnableAdoption: HARDWARE,
  physicalDiskDisableAdoption: HARDWARE,
  rackMembershipAddSleds: HARDWARE,
  rackMembershipAbort: HARDWARE,
  simulatedSledSetPower: HARDWARE,
  simulatedSledInsert: HARDWARE,
  simulatedInstanceSetLoad: 'it does not support simulated machines.',
  simulatedDiskSetHealth: HARDWARE,
  simulatedDiskReplace: HARDWARE,
  simulatedPowerSupplyUpdate: HARDWARE,
  simulatedSledRecover: HARDWARE,
  simulatedUplinkUpdate: HARDWARE,
  probeCreate: PROBE,
  probeDelete: PROBE,
  instanceTemplateCreate: TEMPLATE,
  instanceTemplateUpdate: TEMPLATE,
  instanceTemplateDelete: TEMPLATE,
  instanceTemplateUse: TEMPLATE,
  deletedResourceRestore: DELETED,
  deletedResourceDelete: DELETED,
  settingVersionRestore: 'it does not support versions of settings.',
  deletionPolicyUpdate: 'it does not support the deletion policy of a silo.',
  imagePolicyUpdate: 'it does not support the image policy of a silo.',
  scheduleCreate: SCHEDULE,
  scheduleUpdate: SCHEDULE,
  scheduleDelete: SCHEDULE,
  scheduleRun: SCHEDULE,
  alertRuleCreate: ALERT_RULE,
  alertRuleUpdate: ALERT_RULE,
  alertRuleDelete: ALERT_RULE,
  systemAlertRuleCreate: ALERT_RULE,
  systemAlertRuleUpdate: ALERT_RULE,
  systemAlertRuleDelete: ALERT_RULE,
  certificateCreate: CERTIFICATE,
  networkingLoopbackAddressCreate: UPLINK,
  networkingLoopbackAddressDelete: UPLINK,
  networkingBgpConfigCreate: UPLINK,
  networkingBgpConfigUpdate: UPLINK,
  networkingBgpConfigDelete: UPLINK,
  networkingBgpAnnounceSetUpdate: UPLINK,
  networkingBgpAnnounceSetDelete: UPLINK,
  networkingBfdEnable: UPLINK,
  networkingBfdDisable: UPLINK,
  networkingInboundIcmpUpdate: UPLINK,
  systemNetworkingSettingsUpdate: UPLINK,
  networkingAllowListUpdate: UPLINK,
  networkingSwitchPortApplySettings: UPLINK,
  networkingSwitchPortClearSettings: UPLINK,
  networkingSwitchPortLldpConfigUpdate: UPLINK,
  systemPolicyUpdate: POLICY,
  policyUpdate: POLICY,
  siloPolicyUpdate: POLICY,
  projectPolicyUpdate: POLICY,
  certificateDelete: CERTIFICATE,
  localIdpUserCreate: USER,
  localIdpUserSetPassword: USER,
  localIdpUserDelete: USER,
  userLogout: CREDENTIAL,
  groupCreate: USER,
  groupDelete: USER,
  groupMembersUpdate: USER,
  currentUserPasswordUpdate: CREDENTIAL,
  currentUserAccessTokenCreate: CREDENTIAL,
  currentUserAccessTokenDelete: CREDENTIAL,
  currentUserSessionDelete: CREDENTIAL,
  currentUserSessionDeleteOthers: CREDENTIAL,
  serviceAccountCreate: USER,
  serviceAccountUpdate: USER,
  serviceAccountDelete: USER,
  serviceAccountTokenCreate: CREDENTIAL,
  serviceAccountTokenDelete: CREDENTIAL,
  scimTokenCreate: CREDENTIAL,
  scimTokenDelete: CREDENTIAL,
}
