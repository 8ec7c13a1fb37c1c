import type { ApiVersion, Success } from '@steading/api'
import { inClientVersion } from '../kernel/client-version.ts'

/**
 * An answer in JSON before it becomes a `Response`, whose body and headers are expensive to read
 * and to change. It sets no cookies.
 */
export interface JsonAnswer {
  text: string
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
}

export const toResponse = (answer: Response | JsonAnswer): Response =>
  answer instanceof Response ? answer : new Response(answer.text, answer)

/**
 * Turns the result of a handler into the answer that its operation declares.
 * @param version of the client, which decides the shape of the answer
 * @param set the headers set by the handler
 * @throws ApiError 406 for a value that cannot be expressed in the client's version
 */
export function presentResult(
  { status, schema, contentType = 'application/json' }: Success,
  result: unknown,
  version: ApiVersion,
  set: Headers | undefined,
): Response | JsonAnswer {
  if (schema && contentType.endsWith('json')) {
    const text = JSON.stringify(inClientVersion(schema, result, version))
    if (set?.has('set-cookie')) {
      const all = new Headers(set)
      all.set('content-type', contentType)
      return new Response(text, { status, headers: all })
    }
    const headers: Record<string, string> = set ? Object.fromEntries(set) : {}
    headers['content-type'] = contentType
    return { text, status, headers }
  }
  const headers = new Headers(set)
  if (status === 302 || status === 303) {
    headers.set('location', (result as { location: string }).location)
    return new Response(null, { status, headers })
  }
  if (!schema) return new Response(null, { status, headers })
  headers.set('content-type', contentType)
  return new Response(result as BodyInit, { status, headers })
}
