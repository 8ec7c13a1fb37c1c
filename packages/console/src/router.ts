import type { ConsolePath } from '@steading/api/rules'
import { createRouter } from '@tanstack/react-router'
import {
  projectRoute,
  rootRoute,
  settingsRoute,
  shellRoute,
  siloRoute,
  systemRoute,
} from './page/parent-routes.ts'
import { firstTree, growRouter } from './route-groups.ts'
import type { routeTree } from './route-tree.ts'
import { ErrorPage, NotFoundPage } from './shell/error-page.tsx'
import {
  ProjectError,
  ProjectFrame,
  SettingsFrame,
  SiloFrame,
  SystemFrame,
} from './shell/frames.tsx'
import { watchNavigation } from './shell/navigation.ts'
import { PageError } from './shell/page-error.tsx'
import { Root } from './shell/root.tsx'

/** Assigns the shell's frames and error pages to the parent routes. */
function drawFrames(): void {
  rootRoute.update({
    component: Root,
    errorComponent: ErrorPage,
    notFoundComponent: NotFoundPage,
  })
  shellRoute.update({ errorComponent: ErrorPage })
  siloRoute.update({ component: SiloFrame })
  systemRoute.update({ component: SystemFrame })
  settingsRoute.update({ component: SettingsFrame })
  projectRoute.update({ component: ProjectFrame, errorComponent: ProjectError })
}

export function createConsoleRouter() {
  drawFrames()
  const router = createRouter({
    routeTree: firstTree() as typeof routeTree,
    defaultPreload: 'intent',
    // Freshness is up to the query cache: a page left long ago, or a page of another item of
    // the same name, must not be drawn before its loader has run.
    defaultPreloadStaleTime: 0,
    defaultStaleReloadMode: 'blocking',
    notFoundMode: 'root',
    defaultErrorComponent: PageError,
    // Handled by `src/shell/scroll.ts`: a plain `false` would still scroll to the top after
    // each navigation.
    scrollRestoration: () => false,
  })
  void growRouter(router)
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

/**
 * Compiles only if the router has exactly the pages of `consolePaths`; otherwise the error
 * names the others.
 */
export type UndeclaredPages = NothingBut<never, Exclude<RouterPath, ConsolePath>>
export type MissingPages = NothingBut<never, Exclude<ConsolePath, RouterPath>>
type NothingBut<Allowed, Found extends Allowed> = Found
