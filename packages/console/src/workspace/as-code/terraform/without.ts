/** Operations without a resource in the provider, and why. */
import type { MethodName } from '@steading/api/client'

const JOB =
  'it deletes what its configuration no longer has, one thing after the other, and does nothing else to many.'

const CREDENTIAL = 'it does not know what users are signed in with.'

const USER = 'it does not know users and groups.'

const CERTIFICATE = 'it knows certificates only as a part of a new silo.'

const POLICY = 'it has no resource for policies.'

const ATTACHED = 'it has no resource for what is attached to an internet gateway.'

const UPLINK = 'of external connectivity, it knows address lots and the settings of ports.'

const HARDWARE = 'it does not know the hardware of the rack.'

const VIEW = 'it does not know the views of this console.'

const DASHBOARD = 'it does not know the dashboards of this console.'

const AFFINITY = 'of groups, it knows those that keep instances apart.'

const PROBE = 'it does not know probes.'
const ALERT_RULE = 'it does not know alert rules.'
const SIGN_IN_SETTINGS = 'it does not know where sign-ins may begin.'
const AUTH_SETTINGS = 'it does not know the authentication settings of a silo.'

const QUERY = 'it declares what there is, and this reads what was measured.'

export const without: { [M in MethodName]?: string } = {
  timeseriesQuery: QUERY,
  systemTimeseriesQuery: QUERY,
  instanceStart: 'it declares what there is, and does not start instances that exist.',
  instanceStop: 'it declares what there is, and does not stop instances that exist.',
  instanceReboot: 'a reboot leaves nothing to declare.',
  authSettingsUpdate: AUTH_SETTINGS,
  samlSignInSettingsUpdate: SIGN_IN_SETTINGS,
  affinityGroupCreate: AFFINITY,
  affinityGroupUpdate: AFFINITY,
  affinityGroupDelete: AFFINITY,
  affinityGroupMemberInstanceAdd: AFFINITY,
  affinityGroupMemberInstanceDelete: AFFINITY,
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
  physicalDiskExpunge: HARDWARE,
  physicalDiskEnableAdoption: HARDWARE,
  physicalDiskDisableAdoption: HARDWARE,
  rackMembershipAddSleds: HARDWARE,
  rackMembershipAbort: HARDWARE,
  simulatedSledSetPower: HARDWARE,
  simulatedSledInsert: HARDWARE,
  simulatedInstanceSetLoad: 'it does not know what simulated machines do.',
  simulatedDiskSetHealth: HARDWARE,
  simulatedDiskReplace: HARDWARE,
  simulatedPowerSupplyUpdate: HARDWARE,
  simulatedSledRecover: HARDWARE,
  simulatedUplinkUpdate: HARDWARE,
  probeCreate: PROBE,
  probeDelete: PROBE,
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
  currentUserAccessTokenDelete: CREDENTIAL,
  currentUserSessionDelete: CREDENTIAL,
  currentUserSessionDeleteOthers: CREDENTIAL,
  scimTokenCreate: CREDENTIAL,
  scimTokenDelete: CREDENTIAL,
}
