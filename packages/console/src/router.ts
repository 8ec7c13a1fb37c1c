import type { ConsolePath } from '@steading/api/rules'
import { createRouter } from '@tanstack/react-router'
import { jobListRoute } from './activity/routes.ts'
import { affinityGroupRoutes, affinityListRoutes } from './affinity/routes.ts'
import { diskListRoutes } from './disks-list/routes.ts'
import { floatingIpListRoutes } from './floating-ips/routes.ts'
import { projectImageRoutes, siloImageRoutes } from './images/routes.ts'
import { instanceCreateRoute } from './instances-create/routes.ts'
import { instanceHomeRoute, instancePageRoutes } from './instances-view/routes.ts'
import { instanceListRoutes, instanceRoute, instancesCrumbRoute } from './instances/routes.ts'
import { loginRoute } from './login/routes.ts'
import { profileRoute } from './profile/routes.ts'
import { projectHomeRoute, projectListRoutes } from './projects/routes.ts'
import { serialConsoleRoute } from './serial-console/routes.ts'
import { watchNavigation } from './shell/navigation.ts'
import {
  homeRoute,
  projectRoute,
  projectsCrumbRoute,
  rootRoute,
  settingsHomeRoute,
  settingsRoute,
  shellRoute,
  siloRoute,
} from './shell/routes.ts'
import { snapshotListRoutes } from './snapshots/routes.ts'
import { sshKeyRoutes } from './ssh-keys/routes.ts'

/** Every page of the console. A resource adds its routes to the frame they belong to. */
const routeTree = rootRoute.addChildren([
  homeRoute,
  loginRoute,
  shellRoute.addChildren([
    siloRoute.addChildren([projectListRoutes, siloImageRoutes, jobListRoute]),
    settingsRoute.addChildren([settingsHomeRoute, profileRoute, sshKeyRoutes]),
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
        floatingIpListRoutes,
        affinityListRoutes,
        affinityGroupRoutes,
      ]),
    ]),
  ]),
])

export function createConsoleRouter() {
  const router = createRouter({
    routeTree,
    defaultPreload: 'intent',
    // The query cache decides what is fresh: a page that was left long ago, or the page of another
    // thing of the same name, must not be drawn before its loader has run.
    defaultPreloadStaleTime: 0,
    defaultStaleReloadMode: 'blocking',
    notFoundMode: 'root',
    // Left to `src/shell/scroll.ts`: a plain `false` would still go to the top after each navigation.
    scrollRestoration: () => false,
  })
  watchNavigation(router.history)
  return router
}

type ConsoleRouter = ReturnType<typeof createConsoleRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter
  }
}

type WithoutEndingSlash<Path> = Path extends `${infer Rest}/`
  ? Rest extends ''
    ? '/'
    : Rest
  : Path
type RouterPath = WithoutEndingSlash<keyof ConsoleRouter['routesByPath'] & string>

/** Does not compile unless the router has exactly the pages of `consolePaths`; names the others. */
export type UndeclaredPages = NothingBut<never, Exclude<RouterPath, ConsolePath>>
export type MissingPages = NothingBut<never, Exclude<ConsolePath, RouterPath>>
type NothingBut<Allowed, Found extends Allowed> = Found
