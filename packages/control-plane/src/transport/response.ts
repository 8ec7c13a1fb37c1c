import type { ApiVersion, Success } from '@steading/api'
import { presented } from '../kernel/presented.ts'

/** An answer in JSON that is not yet a `Response`, whose body would be dear to read again. */
export interface JsonAnswer {
  text: string
  status: number
  headers: Headers
}

const encoder = new TextEncoder()

/** It has bytes, because a host would measure a text and then encode it again. */
export const toResponse = (answer: Response | JsonAnswer): Response =>
  answer instanceof Response ? answer : new Response(encoder.encode(answer.text), answer)

/**
 * Turns the result of a handler into the answer that its operation declares.
 * @param version of the client, which decides the shape of the answer
 * @param headers of the answer; some are added
 * @throws ApiError 406 for a value that cannot be expressed in the client's version
 */
export function presentResult(
  { status, schema, contentType = 'application/json' }: Success,
  result: unknown,
  version: ApiVersion,
  headers: Headers,
): Response | JsonAnswer {
  if (status === 302 || status === 303) {
    headers.set('location', (result as { location: string }).location)
    return new Response(null, { status, headers })
  }
  if (!schema) return new Response(null, { status, headers })
  headers.set('content-type', contentType)
  if (!contentType.endsWith('json')) return new Response(result as BodyInit, { status, headers })
  return { text: JSON.stringify(presented(schema, result, version)), status, headers }
}
