import { DOCS_PATH, isApiPath, isConsolePath } from '@steading/api/rules'

/**
 * Destination of a request: the control plane, or files of the console or the documentation.
 * Console pages redirect users who are not signed in to the login page; the "not found" page is
 * public.
 */
export type Destination = 'api' | 'docs' | 'asset' | 'page' | 'unknown-page'

/**
 * Destination of a request. An unknown path is a page for browsers, where the console shows "not
 * found", and an error of the control plane for other clients.
 * @param accept the header `accept`
 */
export function destination(method: string, path: string, accept: string | null): Destination {
  if (method !== 'GET' && method !== 'HEAD') return 'api'
  if (isApiPath(path)) return 'api'
  if (path.startsWith('/assets/')) return 'asset'
  if (path === DOCS_PATH || path.startsWith(`${DOCS_PATH}/`)) return 'docs'
  // Pages ignore the header `accept` (control plane 2.5).
  if (isConsolePath(path)) return 'page'
  return accept?.includes('text/html') ? 'unknown-page' : 'api'
}
