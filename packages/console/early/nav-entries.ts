/** The entries of the sidebars, from the routes that declare them. */
import type { AnyRoute } from '@tanstack/react-router'
import type { Needing } from '../src/data/capabilities.ts'
import { projectRoute, settingsRoute, siloRoute, systemRoute } from '../src/page/parent-routes.ts'
import { navGroups, type NavFrame } from '../src/shell/nav-entry.ts'
import type { RouteFacts } from './pages.ts'

type Entries = RouteFacts['nav'][string]

type Inherited = { crumb?: string } & Needing

const childrenOf = (route: AnyRoute): AnyRoute[] => (route.children as AnyRoute[] | undefined) ?? []

const pathsBelow = (route: AnyRoute): string[] =>
  childrenOf(route).flatMap((child) => [
    ...('path' in child.options ? [child.fullPath] : []),
    ...pathsBelow(child),
  ])

/** Entries of the pages below a route, in the order of the route tree. */
function entriesBelow(route: AnyRoute, above: Inherited): Entries {
  return childrenOf(route).flatMap((child) => {
    const {
      crumb,
      needs = above.needs,
      part = above.part,
      nav,
      isTab,
    } = child.options.staticData ?? {}
    const inherited = {
      crumb: above.crumb ?? (typeof crumb === 'string' ? crumb : undefined),
      needs,
      part,
    }
    const below = entriesBelow(child, inherited)
    if (!nav) return below
    const icon = `${nav.icon.displayName}Icon`
    const also = isTab ? pathsBelow(route) : []
    const label = inherited.crumb ?? ''
    return [{ label, path: child.fullPath, needs, part, also, ...nav, icon }, ...below]
  })
}

const frames: Record<NavFrame, AnyRoute> = {
  silo: siloRoute,
  system: systemRoute,
  settings: settingsRoute,
  project: projectRoute,
}

const groups = [undefined, ...Object.keys(navGroups)]

/** The entries of all frames, in their order. The routes must have been initialized by a router. */
export const navEntries = (): RouteFacts['nav'] =>
  Object.fromEntries(
    Object.entries(frames).map(([frame, route]) => [
      frame,
      entriesBelow(route, {}).toSorted(
        (one, other) => groups.indexOf(one.group) - groups.indexOf(other.group),
      ),
    ]),
  )
