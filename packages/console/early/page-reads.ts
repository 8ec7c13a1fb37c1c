/**
 * Finds the initial reads of pages by running their loaders, so that reads are declared only
 * there. Runs outside of a browser, during the build.
 */
import { createMemoryHistory, createRouter, type AnyRoute } from '@tanstack/react-router'
import { queryClient } from '../src/data/api.ts'
import { assumeCapabilities } from '../src/data/capabilities.ts'
import { groupNameOf, groups } from '../src/route-groups.ts'
import { routeTree } from '../src/route-tree.ts'
import { navEntries } from './nav-entries.ts'
import type { PageReads, RouteFacts } from './pages.ts'

/** Whether a read contains a time, which would differ in the browser. */
const isTimed = (read: string): boolean => /\d{4}-\d\d-\d\dT/.test(read)

/** A path with a unique value for each parameter `$name`. */
const withValues = (path: string): string => path.replaceAll(/\$(?=\w)/g, 'value-of-')
const withNames = (read: string): string => read.replaceAll('value-of-', '$')

/** The reads that a page's loaders send before any answer. */
async function readsOf(path: string, hasExtensions: boolean): Promise<string[]> {
  queryClient.clear()
  assumeCapabilities(hasExtensions)
  const reads: string[] = []
  globalThis.fetch = (url) => {
    reads.push(withNames(String(url)))
    return new Promise(() => {})
  }
  const history = createMemoryHistory({ initialEntries: [withValues(path)] })
  void createRouter({ routeTree, history }).load()
  // Requests are never answered, so the loaders get as far as they can within this turn.
  await new Promise((resolve) => setImmediate(resolve))
  return [...new Set(reads)].filter((read) => !isTimed(read))
}

function componentsOf(route: AnyRoute): string[] {
  const parent = route.options.getParentRoute?.() as AnyRoute | undefined
  const above = parent ? componentsOf(parent) : []
  const { displayName } = (route.options.component ?? {}) as { displayName?: string }
  return displayName === undefined ? above : [...above, displayName]
}

// Here, because nothing can be imported once this module has been.
const routesByGroup = await Promise.all(
  Object.entries(groups).map(async ([name, { load }]) => [name, (await load()).routes] as const),
)

/**
 * The name of the group of each route.
 * @throws Error if the console would look for one in another group
 */
function groupsByRoute(): Map<AnyRoute, string> {
  const names = new Map<AnyRoute, string>()
  const walk = (route: AnyRoute, name: string) => {
    names.set(route, name)
    for (const child of (route.children ?? []) as AnyRoute[]) walk(child, name)
    const isPage = 'path' in route.options && !(route.children as AnyRoute[] | undefined)?.length
    if (isPage && groupNameOf(withValues(route.fullPath)) !== name) {
      throw new Error(`${route.fullPath} is in group ${name}, against src/route-groups.ts`)
    }
  }
  for (const [name, routes] of routesByGroup) for (const route of routes) walk(route, name)
  return names
}

/** All pages of the console, and the entries of its sidebars. */
export async function routeFacts(): Promise<RouteFacts> {
  const { routesByPath } = createRouter({ routeTree })
  const groupOf = groupsByRoute()
  const groupsByPath = new Map(
    Object.entries(routesByPath).map(([path, route]) => [path, groupOf.get(route)]),
  )
  const nav = navEntries()
  const components = new Map(
    Object.entries(routesByPath).map(([path, route]) => [path, componentsOf(route)]),
  )
  // Components are for browsers only, and loading a route would begin with them.
  for (const route of Object.values(createRouter({ routeTree }).routesById)) {
    route.update({ component: undefined })
  }
  const pages: PageReads[] = []
  for (const [path, names] of components) {
    pages.push({
      path,
      components: names,
      reads: await readsOf(path, true),
      plainReads: await readsOf(path, false),
      group: groupsByPath.get(path),
    })
  }
  return { pages, nav }
}
