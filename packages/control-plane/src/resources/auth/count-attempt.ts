import {
  SIGN_IN_FREE_FAILURES,
  SIGN_IN_FREE_FAILURES_OF_ADDRESS,
  tooManySignInsMessage,
} from '@steading/api/rules'
import type { Device } from './devices.ts'
import { type LoginThrottle, requireTurn } from './throttle.ts'

/**
 * Counts an attempt to give a password, as a failure until it has succeeded.
 * @param known the device, if the user has signed in on it before
 * @throws ApiError 429 if the client has to wait
 */
export function countAttempt(
  throttle: LoginThrottle,
  user: string,
  network: string,
  known: Device | undefined,
): { succeeded: () => void } {
  if (known) {
    const key = `device ${known.id} ${user}`
    requireTurn(throttle, key, SIGN_IN_FREE_FAILURES, tooManySignInsMessage)
    return { succeeded: () => throttle.forgive(key) }
  }
  const [addressKey, userKey] = [`address ${network}`, `user ${user} from ${network}`]
  requireTurn(throttle, addressKey, SIGN_IN_FREE_FAILURES_OF_ADDRESS, tooManySignInsMessage)
  try {
    requireTurn(throttle, userKey, SIGN_IN_FREE_FAILURES, tooManySignInsMessage)
  } catch (error) {
    // Refused because of the user, without checking a password, so it is no failure of the address.
    throttle.refund(addressKey)
    throw error
  }
  return {
    succeeded() {
      throttle.forgive(userKey)
      // Earlier failures of the address stay: one valid account must not allow guesses at others.
      throttle.refund(addressKey)
    },
  }
}
