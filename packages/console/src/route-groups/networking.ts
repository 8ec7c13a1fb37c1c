/** Pages of a project’s networks. */
import {
  vpcListRoutes,
  vpcsCrumbRoute,
  vpcRoute,
  vpcHomeRoute,
  vpcTabsRoute,
} from '../networking/vpcs/routes.ts'
import { firewallRuleRoutes } from '../networking/firewall-rules/routes.ts'
import { subnetRoutes } from '../networking/subnets/routes.ts'
import { routersTabRoutes, routerPageRoutes } from '../networking/routers/routes.ts'
import { gatewayRoutes } from '../networking/internet-gateways/routes.ts'
import { vpcTopologyRoute } from '../networking/topology/vpc/routes.ts'
import { floatingIpListRoutes } from '../networking/floating-ips/routes.ts'
import { networkMapRoute, reachabilityRoute } from '../networking/reachability/routes.ts'
import { externalSubnetListRoutes } from '../networking/external-subnets/routes.ts'
import { probeListRoutes } from '../networking/probes/routes.ts'

export const routes = [
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
] as const
