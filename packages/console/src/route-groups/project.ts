/** The other pages of a project. */
import { projectOverviewRoute } from '../observability/overview/routes.ts'
import { alertRuleListRoutes, alertRuleRoutes } from '../observability/alert-rules/routes.ts'
import { projectNotificationsRoute } from '../observability/notifications/routes.ts'
import { projectMetricsRoute } from '../observability/metrics-explorer/routes.ts'
import { projectDashboardsRoute } from '../observability/dashboards/routes.ts'
import { deletedResourcesRoute } from '../workspace/deleted-resources/routes.ts'
import { projectAccessRoute } from '../identity/access/routes.ts'
import { accountRoutes } from '../identity/service-accounts/routes.ts'

export const routes = [
  projectOverviewRoute,
  alertRuleListRoutes,
  alertRuleRoutes,
  projectNotificationsRoute,
  projectMetricsRoute,
  projectDashboardsRoute,
  deletedResourcesRoute,
  projectAccessRoute,
  accountRoutes,
] as const
