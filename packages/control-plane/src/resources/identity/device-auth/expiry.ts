import { deviceMessages } from '@steading/api/rules'
import type { Credential } from '../../../kernel/authz/caller.ts'
import { fail } from '../../../kernel/errors.ts'

/**
 * When a token expires that is made now; null if never.
 * @param asked how long it is to live, in seconds; null: as long as it may
 * @param max how long tokens of the silo may live, in seconds; null: for ever
 * @param credential of the user who confirms it: a token cannot make one that outlives it
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
