/** Addresses of pages. */
import type { ConsolePath } from '@steading/api/rules'

type Search = object | ((before: object) => object)

/**
 * The search of any page, typed for the router. The router knows the search of each route, but
 * not of components used on several routes.
 */
export const anySearch = (search: Search) => search as never

/** The current page with another search, for links, navigation and redirects. */
export const samePage = (search: Search) => ({ to: '.', search: anySearch(search) }) as const

/** A link to a path that only the control plane knows, typed for the router. */
export const linkTo = (path: string) => {
  const [to, search] = path.split('?')
  return { to: to as '/', search: anySearch(Object.fromEntries(new URLSearchParams(search))) }
}

/** A page's path as text, for menus and the palette. `pathTo('/projects/$project/edit', { project })` */
export function pathTo(path: ConsolePath, params: Record<string, string> = {}): string {
  return path.replaceAll(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
