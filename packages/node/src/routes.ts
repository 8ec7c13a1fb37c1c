/**
 * Who answers a request: the control plane, or the files of the console. The console's own pages
 * send people who are not signed in to their login page; its "not found" is for everybody.
 */
export type Destination = 'api' | 'asset' | 'page' | 'unknown-page'

/** Paths of the control plane alone. */
const apiPath = /^\/(?:v1|x|experimental|scim)(?:\/|$)|^\/device\/(?:auth|token|confirm)$/
/** Where the browser is sent on to a SAML identity provider. */
const samlRedirect = /^\/login\/[^/]+\/saml\/[^/]+\/redirect$/
/** Pages that are served whatever the client says it accepts (control plane 2.5). */
const consolePath =
  /^\/(?:|(?:projects|images|settings|system|lookup|login)(?:\/.*)?|utilization|access|projects-new|device\/verify|device\/success)$/

/**
 * Where a request goes. Unknown paths are pages for browsers, which show their own "not found",
 * and errors of the control plane for everybody else.
 * @param accept the header `accept`
 */
export function destination(method: string, path: string, accept: string | null): Destination {
  if (method !== 'GET' && method !== 'HEAD') return 'api'
  if (apiPath.test(path) || samlRedirect.test(path)) return 'api'
  if (path.startsWith('/assets/')) return 'asset'
  if (consolePath.test(path)) return 'page'
  return accept?.includes('text/html') ? 'unknown-page' : 'api'
}
