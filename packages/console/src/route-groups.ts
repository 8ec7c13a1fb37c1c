/**
 * The pages of the console in groups, which are loaded when one of their pages is opened, and all
 * of them once the first page has been drawn. Until then the router knows only the parents, and
 * a placeholder takes all other addresses below each of them.
 */
import {
  type AnyRoute,
  type AnyRouter,
  createRoute,
  type ParsedLocation,
  redirect,
} from '@tanstack/react-router'
import { loadCode } from './page/lazy-page.ts'
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
import { loadPart, whenDrawnAndIdle } from './ui/lazy-part.ts'

type Module = { routes: readonly AnyRoute[] }
type Group = {
  parent: AnyRoute
  /** Addresses of its pages, unless they belong to an earlier group. */
  pages: RegExp
  load: () => Promise<Module>
  /** Undefined until loaded. */
  routes?: readonly AnyRoute[]
}

const inProject = (names: string): RegExp => new RegExp(`^/projects/[^/]+/(?:${names})(?![a-z])`)

/** The name of each group is its file's in `route-groups`. */
export const groups: Record<string, Group> = {
  'signed-out': {
    parent: rootRoute,
    pages: /^\/(login|device)\//,
    load: () => import('./route-groups/signed-out.ts'),
  },
  'system-networking': {
    parent: systemRoute,
    pages: /^\/system\/networking\b/,
    load: () => import('./route-groups/system-networking.ts'),
  },
  system: {
    parent: systemRoute,
    pages: /^\/system\//,
    load: () => import('./route-groups/system.ts'),
  },
  settings: {
    parent: settingsRoute,
    pages: /^\/settings\//,
    load: () => import('./route-groups/settings.ts'),
  },
  instances: {
    parent: projectRoute,
    pages: inProject('instances/?$'),
    load: () => import('./route-groups/instances.ts'),
  },
  instance: {
    parent: projectRoute,
    pages: inProject('instances'),
    load: () => import('./route-groups/instance.ts'),
  },
  storage: {
    parent: projectRoute,
    pages: inProject('disks|snapshots|images'),
    load: () => import('./route-groups/storage.ts'),
  },
  compute: {
    parent: projectRoute,
    pages: inProject('schedules|instance-templates|affinity'),
    load: () => import('./route-groups/compute.ts'),
  },
  networking: {
    parent: projectRoute,
    pages: inProject('vpcs|floating-ips|external-subnets|probes|reachability|network-map'),
    load: () => import('./route-groups/networking.ts'),
  },
  project: {
    parent: projectRoute,
    // The form for a project itself opens over the list of projects.
    pages: inProject('(?!edit$)[^/]+'),
    load: () => import('./route-groups/project.ts'),
  },
  silo: { parent: siloRoute, pages: /^\//, load: () => import('./route-groups/silo.ts') },
}
const allGroups = Object.values(groups)

/** The name of the group of a page. */
export const groupNameOf = (pathname: string): string =>
  Object.keys(groups).find((name) => groups[name]!.pages.test(pathname))!

/** Stands for the pages that are not loaded yet: loads them, and opens the address again. */
const placeholder = (parent: AnyRoute, path: string): AnyRoute =>
  createRoute({
    getParentRoute: () => parent,
    path,
    beforeLoad: async ({ location: { pathname, href } }: { location: ParsedLocation }) => {
      const group = groups[groupNameOf(pathname)]!
      // A group without the page: its address does not exist, which only the whole tree knows.
      await loadCode(() => Promise.all((group.routes ? allGroups : [group]).map(add)))
      throw redirect({ href, state: true, replace: true })
    },
  } as never)

const placeholders = [
  placeholder(rootRoute, '/login/$'),
  placeholder(rootRoute, '/device/$'),
  placeholder(siloRoute, '/$'),
  placeholder(systemRoute, '/system/$'),
  placeholder(settingsRoute, '/$'),
  placeholder(projectRoute, '/$'),
]

/** Makes the tree of the routes that are loaded. */
function growTree(): AnyRoute {
  const isComplete = allGroups.every(({ routes }) => routes)
  const grow = (parent: AnyRoute, own: readonly AnyRoute[] = []): AnyRoute =>
    parent.addChildren([
      ...own,
      ...allGroups.flatMap((group) => (group.parent === parent && group.routes) || []),
      ...(isComplete
        ? []
        : placeholders.filter(({ options }) => options.getParentRoute() === parent)),
    ])
  return grow(rootRoute, [
    homeRoute,
    grow(shellRoute, [
      grow(siloRoute),
      grow(systemRoute),
      grow(settingsRoute, [settingsHomeRoute]),
      grow(projectsCrumbRoute, [grow(projectRoute, [projectHomeRoute])]),
    ]),
  ])
}

let router: AnyRouter | undefined

/** Loads a group of pages, and adds it to the router. */
async function add(group: Group): Promise<void> {
  if (group.routes) return
  const { routes } = await group.load()
  // Another call may have been faster.
  if (group.routes) return
  group.routes = routes
  growTree()
  router?.setRoutes(router.buildRouteTree())
}

/** The tree of the first page's parents. Further pages are added to the router given afterwards. */
export const firstTree = growTree

/** Adds the pages to a router as they are needed, and all of them after the first page. */
export async function growRouter(growing: AnyRouter): Promise<void> {
  router = growing
  for (const group of allGroups) {
    await whenDrawnAndIdle()
    // Opening a page of the group reports a failure.
    await loadPart(() => add(group)).catch(() => {})
  }
}
