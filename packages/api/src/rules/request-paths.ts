/** Spellings of request paths. */

/** First segments of the paths of the API, and of the pages that clients compose addresses of. */
const heads: ReadonlySet<string> = new Set(['v1', 'x', 'experimental', 'scim', 'device', 'login'])

const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i

export const DOT_SEGMENTS = 'dot-segments are not permitted'

/**
 * The target of a request without empty segments in its path: clients compose it from an address that may
 * end in a slash.
 * @returns undefined for a path with `.` or `..`, which a client may mean otherwise than the server
 */
export function plainTarget(target: string): string | undefined {
  const end = target.indexOf('?')
  const path = end < 0 ? target : target.slice(0, end)
  const hasDots = dotSegment.test(path)
  if (!hasDots && !path.includes('//') && !path.endsWith('/')) return target
  const segments = path.split('/').filter((segment) => segment !== '')
  if (!heads.has(segments[0] ?? '')) return target
  return hasDots ? undefined : `/${segments.join('/')}${end < 0 ? '' : target.slice(end)}`
}
