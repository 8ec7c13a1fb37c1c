/**
 * Finds the initial reads of pages by running their loaders, so that reads are declared only
 * there. Runs outside of a browser, during the build.
 */
import { createMemoryHistory, createRouter, type AnyRoute } from '@tanstack/react-router'
import { queryClient } from '../src/data/api.ts'
import { assumeCapabilities } from '../src/data/capabilities.ts'
import { routeTree } from '../src/route-tree.ts'
import type { PageReads } from './pages.ts'

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

/** All pages of the console. */
export async function pageReads(): Promise<PageReads[]> {
  const { routesByPath } = createRouter({ routeTree })
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
    })
  }
  return pages
}
