import type { RegisteredRouter } from '@tanstack/react-router'

type RoutePath = keyof RegisteredRouter['routesByPath'] & string

/** A route's path as text, for menus and the palette. `pathTo('/projects/$project/edit', { project })` */
export function pathTo(route: RoutePath, params: Record<string, string> = {}): string {
  return route.replaceAll(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
