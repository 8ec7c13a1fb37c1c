import type { ConsolePath } from '@steading/api/rules'
import { type AnyRouter, createRouter } from '@tanstack/react-router'
import { standInForAreas } from './area-routes.ts'
import type { routeTree } from './route-tree.ts'
import { drawFrames } from './shell/frame-routes.ts'
import { watchNavigation } from './shell/navigation.ts'
import { PageError } from './shell/page-error.tsx'
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

/** The frames of the pages; areas add theirs when they are visited. */
const frameTree = rootRoute.addChildren([
  homeRoute,
  shellRoute.addChildren([
    siloRoute,
    systemRoute,
    settingsRoute.addChildren([settingsHomeRoute]),
    projectsCrumbRoute.addChildren([projectRoute.addChildren([projectHomeRoute])]),
  ]),
])

export function createConsoleRouter() {
  drawFrames()
  standInForAreas((): AnyRouter => router)
  const router = createRouter({
    // Its type is that of the whole tree: links and parameters are checked against every page.
    routeTree: frameTree as unknown as typeof routeTree,
    defaultPreload: 'intent',
    // The query cache decides what is fresh: a page that was left long ago, or the page of another
    // thing of the same name, must not be drawn before its loader has run.
    defaultPreloadStaleTime: 0,
    defaultStaleReloadMode: 'blocking',
    notFoundMode: 'root',
    defaultErrorComponent: PageError,
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
