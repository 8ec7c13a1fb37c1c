import { type ScimType, scimMessages } from '@steading/api/rules'
import { type ApiError, fail } from '../../../kernel/errors.ts'

/** A 400 that says what is wrong with a request. */
export const bad = (scimType: ScimType, detail: string): ApiError =>
  fail.scim(400, scimType, detail)

export const notFound = (type: string, id: string): ApiError =>
  fail.scim(404, undefined, scimMessages.notFound(type, id))
