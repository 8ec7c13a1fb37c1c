import type { MethodName } from '@steading/api/client'
import { signInFor } from '../../data/api.ts'
import { noAnswer, toApiError } from '../../data/errors.ts'

/**
 * Reads a plain text answer, for which the client has no method.
 * @param operation name used in errors
 */
export async function readText(
  operation: MethodName,
  path: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await fetch(path, { headers }).catch((cause: unknown) => {
    throw noAnswer(operation, true, cause)
  })
  const text = await response.text()
  if (response.ok) return text
  if (response.status === 401 && (await signInFor(true))) return readText(operation, path, headers)
  let error: { message?: string; error_code?: string; request_id?: string } = {}
  try {
    error = JSON.parse(text)
  } catch {
    // The answer came from an intermediary.
  }
  const data = { message: error.message, errorCode: error.error_code, requestId: error.request_id }
  const { status, headers: from } = response
  throw toApiError(operation, { type: 'error', status, headers: from, data })
}
