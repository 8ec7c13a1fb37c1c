import type { Operation } from '@steading/api'

/** Whether an operation answers with bytes of its own, which may come piece by piece. */
export const isStreamed = ({ success: { contentType } }: Operation): boolean =>
  contentType !== undefined && !contentType.endsWith('json')

/**
 * Has proxies pass an answer on unchanged and at once: nginx buffers it otherwise, and proxies that
 * compress hold its first pieces back.
 */
export function markStreamed(headers: Headers): void {
  headers.set('x-accel-buffering', 'no')
  const caching = headers.get('cache-control') ?? 'no-cache, no-store'
  headers.set('cache-control', `${caching}, no-transform`)
}
