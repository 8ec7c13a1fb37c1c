import { type AnyRoute, type AnyRouter, createRoute, redirect, Route } from '@tanstack/react-router'
import { type Area, areas, type Frame, pathsOf } from './areas.ts'
import { loadCode } from './page/load-code.ts'
import { sidebarLabel } from './shell/frames.tsx'
import {
  projectRoute,
  rootRoute,
  settingsRoute,
  siloRoute,
  systemRoute,
} from './page/parent-routes.ts'

const frames: Record<Frame, AnyRoute> = {
  root: rootRoute,
  silo: siloRoute,
  system: systemRoute,
  settings: settingsRoute,
  project: projectRoute,
}

const modules = import.meta.glob<Record<string, unknown>>(['./*/**/routes.ts'])

const childrenOf = (route: AnyRoute): AnyRoute[] => (route.children as AnyRoute[] | undefined) ?? []

/** Stand-ins for the pages of areas whose routes have not been loaded. */
const standIns = new Map<AnyRoute, Area>()

/** Puts a route, and what it is inside of, among the children of its parent. */
function attach(route: AnyRoute): void {
  const parent = route.options.getParentRoute?.() as AnyRoute | undefined
  if (!parent) return
  if (!childrenOf(parent).includes(route)) parent.addChildren([...childrenOf(parent), route])
  attach(parent)
}

/** Loads the routes of an area into the tree, in the place of what stands in for them. */
export async function loadArea({ folders }: Area): Promise<void> {
  const loaded = await Promise.all(folders.map((folder) => modules[`./${folder}/routes.ts`]!()))
  for (const exported of loaded.flatMap((module) => Object.values(module))) {
    if (exported instanceof Route) attach(exported)
  }
  for (const [standIn, area] of standIns) {
    if (!area.folders.every((folder) => folders.includes(folder))) continue
    const parent = frames[area.frame]
    parent.addChildren(childrenOf(parent).filter((child) => child !== standIn))
    standIns.delete(standIn)
  }
}

/** Lets each area be found before its routes are there: a visit loads them and begins again. */
export function standInForAreas(router: () => AnyRouter): void {
  for (const area of areas) {
    for (const path of area.paths) {
      const standIn: AnyRoute = createRoute({
        getParentRoute: () => frames[area.frame],
        path: `${path}/$`,
        // Seen only while the routes cannot be loaded.
        staticData: { crumb: sidebarLabel(pathsOf(area)[0]!) ?? 'Page' },
        beforeLoad: async ({ location }) => {
          await loadCode(() => loadArea(area))
          router().setRoutes(router().buildRouteTree())
          // It may still be on the screen, with the error that the routes could not be loaded.
          router().routesById[standIn.id] = standIn
          throw redirect({ href: location.href, state: location.state, replace: true })
        },
      })
      standIns.set(standIn, area)
      attach(standIn)
    }
  }
}
