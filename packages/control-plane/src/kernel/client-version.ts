import { type ApiVersion, NotAcceptableError, presentResponse, type Schema } from '@steading/api'
import { fail } from './errors.ts'

/**
 * An answer in the shape of the client's version.
 * @throws ApiError 406 for a value that cannot be expressed in that version
 */
export function inClientVersion(schema: Schema, answer: unknown, version: ApiVersion): unknown {
  try {
    return presentResponse(schema, answer, version)
  } catch (error) {
    throw error instanceof NotAcceptableError ? fail.notAcceptable(error.message) : error
  }
}
