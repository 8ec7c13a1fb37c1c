/**
 * The addresses of the console's pages. Hosts know by them what is a page, and the console's links
 * lead nowhere else. They are generated from its routes.
 */
import { consolePaths } from './page-paths.ts'

export { consolePaths }

/** A page, in the spelling of the router: `$name` is a parameter. */
export type ConsolePath = (typeof consolePaths)[number]

/**
 * Below these every address is the console's, which has its own "not found"; `/login` itself sends
 * the browser on to the login page of its silo.
 */
const sections = [
  'images',
  'login',
  'lookup',
  'multicast-groups',
  'projects',
  'settings',
  'system',
  'users',
  'groups',
] as const

const section = /* @__PURE__ */ new RegExp(`^/(${sections.join('|')})(/|$)`)
// Browsers need neither of these, and the bundler leaves them out.
const single: ReadonlySet<string> = /* @__PURE__ */ new Set(consolePaths)

/** Whether an address, without its query, belongs to the console; unless it is the API's. */
export const isConsolePath = (path: string): boolean => section.test(path) || single.has(path)

/** Where the documentation of the product is. */
export const DOCS_PATH = '/docs'

const apiPath =
  /^\/(?:v1|x|experimental|scim)(?:\/|$)|^\/device\/(?:auth|token|confirm)$|^\/login\/[^/]+\/saml\/[^/]+\/redirect$/

/** Whether an address belongs to the API, even where others beside it are the console's. */
export const isApiPath = (path: string): boolean => apiPath.test(path)

/** The login pages, which are for browsers that have not signed in. */
export const isLoginPath = (path: string): boolean => /^\/login(\/|$)/.test(path)

/** The login page of a provider, which is also where browsers bring its answers. */
export const isSamlLoginPath = (path: string): boolean => /^\/login\/[^/]+\/saml\/[^/]+$/.test(path)

/**
 * A file of the built console, not for browsers: the header `link` of each page by its path, with
 * which the host announces the files of that page.
 */
export const LINKS_BY_PATH = '.links-by-path.json'
