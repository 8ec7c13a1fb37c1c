import { type ApiVersion, NotAcceptableError, presentResponse, type Success } from '@steading/api'
import { fail } from '../kernel/errors.ts'

/**
 * Turns the result of a handler into the response that its operation declares.
 * @param version of the client, which decides the shape of the answer
 * @param headers of the answer; some are added
 * @throws ApiError 406 for a value that cannot be expressed in the client's version
 */
export function presentResult(
  { status, schema, contentType = 'application/json' }: Success,
  result: unknown,
  version: ApiVersion,
  headers: Headers,
): Response {
  if (status === 302 || status === 303) {
    headers.set('location', (result as { location: string }).location)
    return new Response(null, { status, headers })
  }
  if (!schema) return new Response(null, { status, headers })
  headers.set('content-type', contentType)
  if (!contentType.endsWith('json')) return new Response(result as BodyInit, { status, headers })
  try {
    const body = JSON.stringify(presentResponse(schema, result, version))
    return new Response(body, { status, headers })
  } catch (error) {
    throw error instanceof NotAcceptableError ? fail.notAcceptable(error.message) : error
  }
}
