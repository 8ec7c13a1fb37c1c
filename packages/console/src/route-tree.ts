import {
  fleetAccessRoute,
  projectAccessRoute,
  siloAccessRoute,
  siloAccessTabRoute,
} from './identity/access/routes.ts'
import { accessTokensRoute, commandLineRoute } from './identity/access-tokens/routes.ts'
import { jobListRoute } from './workspace/jobs/routes.ts'
import { addressLotRoutes, addressLotTabRoutes } from './system-networking/address-lots/routes.ts'
import { receiverListRoutes, receiverRoutes } from './observability/alert-receivers/routes.ts'
import { alertListRoute, alertRoutes, alertsRoute } from './observability/alerts/routes.ts'
import { affinityGroupRoutes, affinityListRoutes } from './compute/affinity/routes.ts'
import { bfdRoutes } from './system-networking/bfd/routes.ts'
import {
  announceSetRoutes,
  bgpConfigRoutes,
  bgpPeersRoute,
} from './system-networking/bgp/routes.ts'
import { certificateRoutes } from './identity/certificates/routes.ts'
import { deviceSuccessRoute, deviceVerifyRoute } from './identity/device/routes.ts'
import { auditLogRoute, systemAuditLogRoute } from './observability/audit-log/routes.ts'
import { diskListRoutes } from './storage/disks/routes.ts'
import { firewallRuleRoutes } from './networking/firewall-rules/routes.ts'
import {
  connectivityRoute,
  overviewRoute,
} from './system-networking/external-connectivity/routes.ts'
import { externalSubnetListRoutes } from './networking/external-subnets/routes.ts'
import { floatingIpListRoutes } from './networking/floating-ips/routes.ts'
import { siloIdentityProviderRoutes } from './identity/identity-providers/routes.ts'
import { probeListRoutes } from './networking/probes/routes.ts'
import { imageCatalogRoutes } from './storage/image-catalog/routes.ts'
import { projectImageRoutes, siloImageRoutes } from './storage/images/routes.ts'
import { instanceCloneRoute, instanceCreateRoute } from './compute/instances/routes.ts'
import { instanceHomeRoute, instancePageRoutes } from './compute/instances/view/routes.ts'
import {
  instanceListRoutes,
  instanceRoute,
  instancesCrumbRoute,
} from './compute/instances/instance-route.ts'
import { gatewayRoutes } from './networking/internet-gateways/routes.ts'
import {
  loginRoute,
  oidcLoginRoute,
  oidcStepRoute,
  samlLoginRoute,
  signedInRoute,
  siloChoiceRoute,
} from './identity/login/routes.ts'
import { instanceLookupRoute, shortInstanceLookupRoute } from './compute/lookup/routes.ts'
import {
  multicastGroupListRoute,
  multicastGroupRoutes,
} from './networking/multicast-groups/routes.ts'
import { loopbackRoutes } from './system-networking/loopback-addresses/routes.ts'
import { networkMapRoute, reachabilityRoute } from './networking/reachability/routes.ts'
import {
  portSettingsListRoute,
  portSettingsRoutes,
} from './system-networking/switch-port-settings/routes.ts'
import { switchPortListRoute, switchPortRoutes } from './system-networking/switch-ports/routes.ts'
import { networkingSettingsRoute } from './system-networking/networking-settings/routes.ts'
import { profileRoute, signInSecurityRoute } from './identity/profile/routes.ts'
import { projectListRoutes } from './tenancy/projects/routes.ts'
import { displayRoute, serialConsoleRoute } from './compute/serial-console/routes.ts'
import { sessionsRoute } from './identity/sessions/routes.ts'
import { siloIpPoolsRoute, siloSubnetPoolsRoute } from './networking/pools/routes.ts'
import { siloUsersRoute, groupRoutes, peopleRoutes, userRoutes } from './identity/users/routes.ts'
import {
  homeRoute,
  projectHomeRoute,
  projectRoute,
  projectsCrumbRoute,
  rootRoute,
  settingsHomeRoute,
  settingsRoute,
  shellRoute,
  siloRoute,
  systemRoute,
} from './page/parent-routes.ts'
import { routerPageRoutes, routersTabRoutes } from './networking/routers/routes.ts'
import { siloScimRoute } from './identity/scim-tokens/routes.ts'
import {
  siloFleetRolesRoute,
  siloHomeRoute,
  siloListRoutes,
  siloQuotasRoute,
  silosCrumbRoute,
  siloTabsRoute,
  systemSiloRoute,
} from './tenancy/silos/routes.ts'
import { snapshotListRoutes } from './storage/snapshots/routes.ts'
import { sshKeyRoutes } from './identity/ssh-keys/routes.ts'
import { subnetRoutes } from './networking/subnets/routes.ts'
import { accountRoutes, siloAccountRoutes } from './identity/service-accounts/routes.ts'
import {
  siloTemplateListRoutes,
  siloTemplateRoutes,
  templateListRoutes,
  templateRoutes,
} from './compute/instance-templates/routes.ts'
import { deletedResourcesRoute } from './workspace/deleted-resources/routes.ts'
import { scheduleListRoutes, scheduleRoutes } from './compute/schedules/routes.ts'
import {
  alertRuleListRoutes,
  alertRuleRoutes,
  systemAlertRuleListRoutes,
  systemAlertRuleRoutes,
} from './observability/alert-rules/routes.ts'
import {
  fleetOverviewRoute,
  projectOverviewRoute,
  siloOverviewRoute,
} from './observability/overview/routes.ts'
import {
  mailLinkRoute,
  notificationsRoute,
  projectNotificationsRoute,
} from './observability/notifications/routes.ts'
import { issuesRoute } from './observability/issues/routes.ts'
import { controlPlaneRoute } from './maintenance/control-plane/routes.ts'
import { updateRoutes } from './maintenance/updates/routes.ts'
import { projectMetricsRoute, systemMetricsRoute } from './observability/metrics-explorer/routes.ts'
import { projectDashboardsRoute, systemDashboardsRoute } from './observability/dashboards/routes.ts'
import { inventoryHomeRoute, inventoryRoutes } from './hardware/inventory/routes.ts'
import { sledRoutes } from './hardware/sleds/routes.ts'
import {
  ipPoolListRoutes,
  ipPoolRoutes,
  networkingHomeRoute,
} from './networking/ip-pools/routes.ts'
import { subnetPoolListRoutes, subnetPoolRoutes } from './networking/subnet-pools/routes.ts'
import { bundleListRoutes, bundleRoutes } from './maintenance/support-bundles/routes.ts'
import { systemUsageRoute, usageRoute } from './tenancy/usage/routes.ts'
import { systemUtilizationRoute, utilizationRoute } from './tenancy/utilization/routes.ts'
import { vpcTopologyRoute } from './networking/topology/vpc/routes.ts'
import {
  vpcHomeRoute,
  vpcListRoutes,
  vpcRoute,
  vpcsCrumbRoute,
  vpcTabsRoute,
} from './networking/vpcs/routes.ts'

/** All pages of the console. Their order is the sidebar's. */
export const routeTree = rootRoute.addChildren([
  homeRoute,
  loginRoute,
  oidcLoginRoute,
  oidcStepRoute,
  samlLoginRoute,
  siloChoiceRoute,
  signedInRoute,
  deviceVerifyRoute,
  deviceSuccessRoute,
  mailLinkRoute,
  shellRoute.addChildren([
    siloRoute.addChildren([
      siloOverviewRoute,
      projectListRoutes,
      siloImageRoutes,
      siloTemplateListRoutes,
      siloTemplateRoutes,
      multicastGroupListRoute,
      multicastGroupRoutes,
      utilizationRoute,
      usageRoute,
      siloAccessRoute,
      siloAccountRoutes,
      peopleRoutes,
      userRoutes,
      groupRoutes,
      certificateRoutes,
      auditLogRoute,
      jobListRoute,
      instanceLookupRoute,
      shortInstanceLookupRoute,
    ]),
    systemRoute.addChildren([
      fleetOverviewRoute,
      issuesRoute,
      siloListRoutes,
      silosCrumbRoute.addChildren([
        systemSiloRoute.addChildren([
          siloHomeRoute,
          siloTabsRoute.addChildren([
            siloIdentityProviderRoutes,
            siloIpPoolsRoute,
            siloSubnetPoolsRoute,
            siloQuotasRoute,
            siloUsersRoute,
            siloAccessTabRoute,
            siloFleetRolesRoute,
            siloScimRoute,
          ]),
        ]),
      ]),
      systemUtilizationRoute,
      systemUsageRoute,
      systemMetricsRoute,
      systemDashboardsRoute,
      inventoryHomeRoute,
      inventoryRoutes,
      sledRoutes,
      networkingHomeRoute,
      ipPoolListRoutes,
      ipPoolRoutes,
      subnetPoolListRoutes,
      subnetPoolRoutes,
      connectivityRoute.addChildren([
        overviewRoute,
        switchPortListRoute,
        portSettingsListRoute,
        addressLotTabRoutes,
        loopbackRoutes,
        bgpConfigRoutes,
        announceSetRoutes,
        bgpPeersRoute,
        bfdRoutes,
        networkingSettingsRoute,
      ]),
      switchPortRoutes,
      portSettingsRoutes,
      addressLotRoutes,
      alertsRoute.addChildren([alertListRoute, receiverListRoutes]),
      alertRoutes,
      receiverRoutes,
      systemAlertRuleListRoutes,
      systemAlertRuleRoutes,
      imageCatalogRoutes,
      bundleListRoutes,
      bundleRoutes,
      updateRoutes,
      controlPlaneRoute,
      fleetAccessRoute,
      systemAuditLogRoute,
    ]),
    settingsRoute.addChildren([
      settingsHomeRoute,
      profileRoute,
      notificationsRoute,
      sshKeyRoutes,
      accessTokensRoute,
      signInSecurityRoute,
      sessionsRoute,
      commandLineRoute,
    ]),
    projectsCrumbRoute.addChildren([
      projectRoute.addChildren([
        projectHomeRoute,
        projectOverviewRoute,
        instanceListRoutes,
        instancesCrumbRoute.addChildren([
          instanceCreateRoute,
          instanceRoute.addChildren([
            instanceHomeRoute,
            instancePageRoutes,
            instanceCloneRoute,
            serialConsoleRoute,
            displayRoute,
          ]),
        ]),
        diskListRoutes,
        snapshotListRoutes,
        projectImageRoutes,
        vpcListRoutes,
        vpcsCrumbRoute.addChildren([
          vpcRoute.addChildren([
            vpcHomeRoute,
            vpcTabsRoute.addChildren([
              firewallRuleRoutes,
              subnetRoutes,
              routersTabRoutes,
              gatewayRoutes,
              vpcTopologyRoute,
            ]),
            routerPageRoutes,
          ]),
        ]),
        floatingIpListRoutes,
        networkMapRoute,
        reachabilityRoute,
        externalSubnetListRoutes,
        probeListRoutes,
        alertRuleListRoutes,
        alertRuleRoutes,
        scheduleListRoutes,
        scheduleRoutes,
        templateListRoutes,
        templateRoutes,
        projectNotificationsRoute,
        affinityListRoutes,
        affinityGroupRoutes,
        projectMetricsRoute,
        projectDashboardsRoute,
        deletedResourcesRoute,
        projectAccessRoute,
        accountRoutes,
      ]),
    ]),
  ]),
])
