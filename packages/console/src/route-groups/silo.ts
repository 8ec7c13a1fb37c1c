/** Pages of the user’s silo. */
import { siloOverviewRoute } from '../observability/overview/routes.ts'
import { projectListRoutes } from '../tenancy/projects/routes.ts'
import { siloImageRoutes } from '../storage/images/routes.ts'
import { siloTemplateListRoutes, siloTemplateRoutes } from '../compute/instance-templates/routes.ts'
import {
  multicastGroupListRoute,
  multicastGroupRoutes,
} from '../networking/multicast-groups/routes.ts'
import { utilizationRoute } from '../tenancy/utilization/routes.ts'
import { usageRoute } from '../tenancy/usage/routes.ts'
import { siloAccessRoute } from '../identity/access/routes.ts'
import { siloAccountRoutes } from '../identity/service-accounts/routes.ts'
import { peopleRoutes, userRoutes, groupRoutes } from '../identity/users/routes.ts'
import { certificateRoutes } from '../identity/certificates/routes.ts'
import { auditLogRoute } from '../observability/audit-log/routes.ts'
import { jobListRoute } from '../workspace/jobs/routes.ts'
import { instanceLookupRoute, shortInstanceLookupRoute } from '../compute/lookup/routes.ts'

export const routes = [
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
] as const
