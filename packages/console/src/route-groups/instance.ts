/** Pages of one instance, and of new ones. */
import { instancesCrumbRoute, instanceRoute } from '../compute/instances/instance-route.ts'
import { instanceCreateRoute, instanceCloneRoute } from '../compute/instances/routes.ts'
import { instanceHomeRoute, instancePageRoutes } from '../compute/instances/view/routes.ts'
import { serialConsoleRoute, displayRoute } from '../compute/serial-console/routes.ts'

export const routes = [
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
] as const
