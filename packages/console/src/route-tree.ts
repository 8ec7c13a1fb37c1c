import { fleetAccessRoute, projectAccessRoute, siloAccessRoute } from './access/routes.ts'
import { accessTokensRoute } from './access-tokens/routes.ts'
import { jobListRoute } from './activity/routes.ts'
import { addressLotRoutes, addressLotTabRoutes } from './address-lots/routes.ts'
import { receiverListRoutes, receiverRoutes } from './alert-receivers/routes.ts'
import { alertListRoute, alertRoutes, alertsRoute } from './alerts/routes.ts'
import { affinityGroupRoutes, affinityListRoutes } from './affinity/routes.ts'
import { bfdRoutes } from './bfd/routes.ts'
import { announceSetRoutes, bgpConfigRoutes, bgpPeersRoute } from './bgp/routes.ts'
import { certificateRoutes } from './certificates/routes.ts'
import { deviceSuccessRoute, deviceVerifyRoute } from './device/routes.ts'
import { auditLogRoute, systemAuditLogRoute } from './audit-log/routes.ts'
import { diskListRoutes } from './disks-list/routes.ts'
import { firewallRuleRoutes } from './firewall-rules/routes.ts'
import { connectivityRoute } from './external-connectivity/routes.ts'
import { externalSubnetListRoutes } from './external-subnets/routes.ts'
import { floatingIpListRoutes } from './floating-ips/routes.ts'
import { siloIdentityProviderRoutes } from './identity-providers/routes.ts'
import { probeListRoutes } from './probes/routes.ts'
import { projectImageRoutes, siloImageRoutes } from './images/routes.ts'
import { instanceCreateRoute } from './instances-create/routes.ts'
import { instanceHomeRoute, instancePageRoutes } from './instances-view/routes.ts'
import { instanceRoute, instancesCrumbRoute } from './instances/instance-route.ts'
import { instanceListRoutes } from './instances/routes.ts'
import { gatewayRoutes } from './internet-gateways/routes.ts'
import { loginRoute, samlLoginRoute, signedInRoute, siloChoiceRoute } from './login/routes.ts'
import { instanceLookupRoute, shortInstanceLookupRoute } from './lookup/routes.ts'
import { multicastGroupListRoute, multicastGroupRoutes } from './multicast-groups/routes.ts'
import { loopbackRoutes } from './loopback-addresses/routes.ts'
import { networkMapRoute } from './network-map/routes.ts'
import { portSettingsListRoute, portSettingsRoutes } from './switch-port-settings/routes.ts'
import { switchPortListRoute, switchPortRoutes } from './switch-ports/routes.ts'
import { overviewRoute } from './connectivity-overview/routes.ts'
import { networkingSettingsRoute } from './networking-settings/routes.ts'
import { profileRoute } from './profile/routes.ts'
import { projectListRoutes } from './projects/routes.ts'
import { reachabilityRoute } from './reachability-test/routes.ts'
import { serialConsoleRoute } from './serial-console/routes.ts'
import { sessionsRoute } from './sessions/routes.ts'
import { siloAccessTabRoute } from './silo-access/routes.ts'
import { siloIpPoolsRoute } from './silo-ip-pools/routes.ts'
import { siloSubnetPoolsRoute } from './silo-subnet-pools/routes.ts'
import { siloUsersRoute } from './silo-users/routes.ts'
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
} from './shell/routes.ts'
import { routerPageRoutes, routersTabRoutes } from './routers/routes.ts'
import { siloScimRoute } from './scim-tokens/routes.ts'
import {
  siloFleetRolesRoute,
  siloHomeRoute,
  siloListRoutes,
  siloQuotasRoute,
  silosCrumbRoute,
  siloTabsRoute,
  systemSiloRoute,
} from './silos/routes.ts'
import { snapshotListRoutes } from './snapshots/routes.ts'
import { sshKeyRoutes } from './ssh-keys/routes.ts'
import { subnetRoutes } from './subnets/routes.ts'
import { alertRuleRoutes, systemAlertRuleRoutes } from './alert-rules/routes.ts'
import { issuesRoute } from './issues/routes.ts'
import { updateRoutes } from './updates/routes.ts'
import { projectMetricsRoute, systemMetricsRoute } from './metrics-explorer/routes.ts'
import { projectDashboardsRoute, systemDashboardsRoute } from './dashboards/routes.ts'
import { inventoryHomeRoute, inventoryRoutes } from './inventory/routes.ts'
import { sledRoutes } from './sled-view/routes.ts'
import { ipPoolListRoutes, ipPoolRoutes, networkingHomeRoute } from './system-ip-pools/routes.ts'
import { subnetPoolListRoutes, subnetPoolRoutes } from './system-subnet-pools/routes.ts'
import { groupRoutes, peopleRoutes, userRoutes } from './users/routes.ts'
import { bundleListRoutes, bundleRoutes } from './support-bundles/routes.ts'
import { systemUtilizationRoute, utilizationRoute } from './utilization/routes.ts'
import { vpcTopologyRoute } from './vpc-topology/routes.ts'
import {
  vpcHomeRoute,
  vpcListRoutes,
  vpcRoute,
  vpcsCrumbRoute,
  vpcTabsRoute,
} from './vpcs/routes.ts'

/**
 * Every page of the console, for the types of links and parameters. The console itself never loads
 * this file: its tree grows area by area (`area-routes.ts`), and a test compares the two.
 */
export const routeTree = rootRoute.addChildren([
  homeRoute,
  loginRoute,
  samlLoginRoute,
  siloChoiceRoute,
  signedInRoute,
  deviceVerifyRoute,
  deviceSuccessRoute,
  shellRoute.addChildren([
    siloRoute.addChildren([
      projectListRoutes,
      siloImageRoutes,
      multicastGroupListRoute,
      multicastGroupRoutes,
      jobListRoute,
      siloAccessRoute,
      auditLogRoute,
      certificateRoutes,
      peopleRoutes,
      userRoutes,
      groupRoutes,
      utilizationRoute,
      instanceLookupRoute,
      shortInstanceLookupRoute,
    ]),
    systemRoute.addChildren([
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
      issuesRoute,
      alertsRoute.addChildren([alertListRoute, receiverListRoutes]),
      alertRoutes,
      systemAlertRuleRoutes,
      bundleListRoutes,
      bundleRoutes,
      receiverRoutes,
      systemUtilizationRoute,
      systemMetricsRoute,
      systemDashboardsRoute,
      updateRoutes,
      inventoryHomeRoute,
      inventoryRoutes,
      sledRoutes,
      fleetAccessRoute,
      systemAuditLogRoute,
    ]),
    settingsRoute.addChildren([
      settingsHomeRoute,
      profileRoute,
      sshKeyRoutes,
      accessTokensRoute,
      sessionsRoute,
    ]),
    projectsCrumbRoute.addChildren([
      projectRoute.addChildren([
        projectHomeRoute,
        instanceListRoutes,
        instancesCrumbRoute.addChildren([
          instanceCreateRoute,
          instanceRoute.addChildren([instanceHomeRoute, instancePageRoutes, serialConsoleRoute]),
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
        externalSubnetListRoutes,
        probeListRoutes,
        alertRuleRoutes,
        affinityListRoutes,
        affinityGroupRoutes,
        networkMapRoute,
        reachabilityRoute,
        projectMetricsRoute,
        projectDashboardsRoute,
        projectAccessRoute,
      ]),
    ]),
  ]),
])
