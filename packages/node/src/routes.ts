import { DOCS_PATH, isApiPath, isConsolePath } from '@steading/api/rules'

/**
 * What answers a request: the control plane, or the files of the console or the documentation. Pages of the console
 * redirect users who are not signed in to the login page; its "not found" page is public.
 */
export type Destination = 'api' | 'docs' | 'asset' | 'page' | 'unknown-page'

/**
 * The destination of a request. An unknown path is a page for browsers, where the console shows
 * "not found", and an error of the control plane for other clients.
 * @param accept the header `accept`
 */
export function destination(method: string, path: string, accept: string | null): Destination {
  if (method !== 'GET' && method !== 'HEAD') return 'api'
  if (isApiPath(path)) return 'api'
  if (path.startsWith('/assets/')) return 'asset'
  if (path === DOCS_PATH || path.startsWith(`${DOCS_PATH}/`)) return 'docs'
  // Pages are served independently of the header `accept` (control plane 2.5).
  if (isConsolePath(path)) return 'page'
  return accept?.includes('text/html') ? 'unknown-page' : 'api'
}
