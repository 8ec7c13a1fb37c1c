import { deviceMessages } from '@steading/api/rules'
import type { Credential } from '../../../kernel/authz/caller.ts'
import { fail } from '../../../kernel/errors.ts'

/**
 * When a token created now expires; null for never.
 * @param asked the requested lifetime in seconds; null for the longest one
 * @param max the limit of the silo in seconds; null for none
 * @param credential the credential of the confirming user: a token cannot create one that
 *   outlives it
 * @throws ApiError 400
 */
export function expiryOf(
  asked: number | null,
  max: number | null,
  credential: Credential,
  now: Date,
): Date | null {
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  const own = credential.method === 'access_token' ? credential.expires : null
  if (asked !== null) {
    if (max !== null && asked > max) {
      throw fail.invalidRequest(deviceMessages.overSiloMax(asked, max))
    }
    if (own && after(asked) > own) throw fail.invalidRequest(deviceMessages.overOwnExpiry)
    return after(asked)
  }
  if (max === null) return own
  return own && own < after(max) ? own : after(max)
}
