/** Pages of operators, except those of networking. */
import { fleetOverviewRoute } from '../observability/overview/routes.ts'
import { issuesRoute } from '../observability/issues/routes.ts'
import {
  siloListRoutes,
  silosCrumbRoute,
  systemSiloRoute,
  siloHomeRoute,
  siloTabsRoute,
  siloQuotasRoute,
  siloFleetRolesRoute,
} from '../tenancy/silos/routes.ts'
import { siloIdentityProviderRoutes } from '../identity/identity-providers/routes.ts'
import { siloIpPoolsRoute, siloSubnetPoolsRoute } from '../networking/pools/routes.ts'
import { siloUsersRoute } from '../identity/users/routes.ts'
import { siloAccessTabRoute, fleetAccessRoute } from '../identity/access/routes.ts'
import { siloScimRoute } from '../identity/scim-tokens/routes.ts'
import { systemUtilizationRoute } from '../tenancy/utilization/routes.ts'
import { systemUsageRoute } from '../tenancy/usage/routes.ts'
import { systemMetricsRoute } from '../observability/metrics-explorer/routes.ts'
import { systemDashboardsRoute } from '../observability/dashboards/routes.ts'
import { inventoryHomeRoute, inventoryRoutes } from '../hardware/inventory/routes.ts'
import { hostRoutes } from '../hardware/hosts/routes.ts'
import { storagePoolRoutes } from '../storage/storage-pools/routes.ts'
import { sledRoutes } from '../hardware/sleds/routes.ts'
import { alertsRoute, alertListRoute, alertRoutes } from '../observability/alerts/routes.ts'
import { receiverListRoutes, receiverRoutes } from '../observability/alert-receivers/routes.ts'
import {
  systemAlertRuleListRoutes,
  systemAlertRuleRoutes,
} from '../observability/alert-rules/routes.ts'
import { imageCatalogRoutes } from '../storage/image-catalog/routes.ts'
import { bundleListRoutes, bundleRoutes } from '../maintenance/support-bundles/routes.ts'
import { updateRoutes } from '../maintenance/updates/routes.ts'
import { controlPlaneRoute } from '../maintenance/control-plane/routes.ts'
import { systemAuditLogRoute } from '../observability/audit-log/routes.ts'

export const routes = [
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
  hostRoutes,
  storagePoolRoutes,
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
] as const
