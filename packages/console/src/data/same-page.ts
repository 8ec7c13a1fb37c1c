type Search = object | ((before: object) => object)

/**
 * The search of a page, as the router takes it. The router knows the search of each route, but not that
 * of parts that are on pages of several routes.
 */
export const anySearch = (search: Search) => search as never

/** The present page with another search, for a link, a navigation or a redirect. */
export const samePage = (search: Search) => ({ to: '.', search: anySearch(search) }) as const

/** A link to a page that only the control plane knows beforehand, as the router wants it. */
export const linkTo = (path: string) => {
  const [to, search] = path.split('?')
  return { to: to as '/', search: anySearch(Object.fromEntries(new URLSearchParams(search))) }
}
