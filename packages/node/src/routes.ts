import { isApiPath, isConsolePath } from '@steading/api/rules'

/**
 * Who answers a request: the control plane, or the files of the console. The console's own pages
 * send users who are not signed in to their login page; its "not found" is public.
 */
export type Destination = 'api' | 'asset' | 'page' | 'unknown-page'

/**
 * Where a request goes. Unknown paths are pages for browsers, which show their own "not found",
 * and errors of the control plane for other clients.
 * @param accept the header `accept`
 */
export function destination(method: string, path: string, accept: string | null): Destination {
  if (method !== 'GET' && method !== 'HEAD') return 'api'
  if (isApiPath(path)) return 'api'
  if (path.startsWith('/assets/')) return 'asset'
  // Pages are served whatever the client says it accepts (control plane 2.5).
  if (isConsolePath(path)) return 'page'
  return accept?.includes('text/html') ? 'unknown-page' : 'api'
}
