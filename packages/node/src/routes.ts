import { isConsolePath } from '@steading/api/rules'

/**
 * Who answers a request: the control plane, or the files of the console. The console's own pages
 * send users who are not signed in to their login page; its "not found" is public.
 */
export type Destination = 'api' | 'asset' | 'page' | 'unknown-page'

/** Paths of the control plane alone. */
const apiPath = /^\/(?:v1|x|experimental|scim)(?:\/|$)|^\/device\/(?:auth|token|confirm)$/
/** Where the browser is sent on to a SAML identity provider. */
const samlRedirect = /^\/login\/[^/]+\/saml\/[^/]+\/redirect$/
/**
 * Where a request goes. Unknown paths are pages for browsers, which show their own "not found",
 * and errors of the control plane for other clients.
 * @param accept the header `accept`
 */
export function destination(method: string, path: string, accept: string | null): Destination {
  if (method !== 'GET' && method !== 'HEAD') return 'api'
  if (apiPath.test(path) || samlRedirect.test(path)) return 'api'
  if (path.startsWith('/assets/')) return 'asset'
  // Pages are served whatever the client says it accepts (control plane 2.5).
  if (isConsolePath(path)) return 'page'
  return accept?.includes('text/html') ? 'unknown-page' : 'api'
}
