/** Spellings of request paths. */

/** First segments of the paths of the API, and of pages whose addresses clients compose. */
const heads: ReadonlySet<string> = new Set(['v1', 'x', 'experimental', 'scim', 'device', 'login'])

const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i

export const DOT_SEGMENTS = 'dot-segments are not permitted'

/**
 * The target of a request without empty segments in the path, because clients append paths to
 * addresses that may end in a slash.
 * @returns undefined for a path with `.` or `..`, which clients and servers resolve differently
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
