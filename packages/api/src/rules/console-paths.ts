/**
 * Paths of the console, generated from its routes. Hosts use them to recognize pages, and the
 * console links to no others.
 */
import { consolePaths } from './page-paths.ts'

export { consolePaths }

/** Path of a page in the router's spelling: `$name` is a parameter. */
export type ConsolePath = (typeof consolePaths)[number]

/**
 * Every path below these belongs to the console, which shows its own "not found": the first segments
 * of the paths with parameters. `/login` itself redirects to the login page of the browser's silo.
 */
function sectionPattern(): RegExp {
  const below = consolePaths.filter((path) => path.includes('$'))
  const sections = new Set(below.map((path) => path.split('/')[1]))
  return new RegExp(`^/(${[...sections].join('|')})(/|$)`)
}

// Unused in browsers, so the bundler drops both.
const section = /* @__PURE__ */ sectionPattern()
const single: ReadonlySet<string> = /* @__PURE__ */ new Set(consolePaths)

/** Whether a path, without its query, belongs to the console. API paths take precedence. */
export const isConsolePath = (path: string): boolean => section.test(path) || single.has(path)

/** Base path of the product documentation. */
export const DOCS_PATH = '/docs'

const apiPath =
  /^\/(?:v1|x|experimental|scim)(?:\/|$)|^\/device\/(?:auth|token|confirm)$|^\/login\/[^/]+\/(?:saml\/[^/]+\/redirect|oidc\/[^/]+\/(?:redirect|callback|signed-out))$/

/** Whether a path belongs to the API, even among paths of the console. */
export const isApiPath = (path: string): boolean => apiPath.test(path)

/** Whether a path is a login page, for browsers without a session. */
export const isLoginPath = (path: string): boolean => /^\/login(\/|$)/.test(path)

/** Whether a path is the login page of a provider, which is its assertion consumer URL as well. */
export const isSamlLoginPath = (path: string): boolean => /^\/login\/[^/]+\/saml\/[^/]+$/.test(path)

/** Whether a browser follows a path to an OpenID Connect provider, or on its way back. */
export const isOidcStepPath = (path: string): boolean =>
  /^\/login\/[^/]+\/oidc\/[^/]+\/(?:redirect|callback|signed-out)$/.test(path)

/**
 * A file of the console build for the host only: the header `link` of each page by path, which
 * announces the files of the page to the browser.
 */
export const LINKS_BY_PATH = '.links-by-path.json'
