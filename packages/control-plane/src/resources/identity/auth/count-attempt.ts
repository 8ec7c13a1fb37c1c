import {
  SIGN_IN_FREE_FAILURES,
  SIGN_IN_FREE_FAILURES_OF_ADDRESS,
  tooManySignInsMessage,
} from '@steading/api/rules'
import type { Device } from './devices.ts'
import { narrowestOf, requireTurnOfNetworks } from './networks.ts'
import type { PasswordSource, PasswordQueue } from './password-queue.ts'
import { type LoginThrottle, requireTurn } from './throttle.ts'

/** A password attempt, counted as a failure. */
export interface CountedAttempt {
  succeeded: () => void
  /** The password was not checked, so the attempt is no failure. */
  unchecked: () => void
}

/**
 * Counts a password attempt, as a failure until it has succeeded.
 * @param known the device, if the user has signed in on it before
 * @throws ApiError 429 if the client has to wait
 */
export function countAttempt(
  throttle: LoginThrottle,
  user: string,
  clientAddress: string,
  known: Device | undefined,
): CountedAttempt {
  if (known) {
    const key = `device ${known.id} ${user}`
    requireTurn(throttle, key, SIGN_IN_FREE_FAILURES, tooManySignInsMessage)
    return { succeeded: () => throttle.forgive(key), unchecked: () => throttle.refund(key) }
  }
  const refundNetworks = requireTurnOfNetworks(
    throttle,
    'address',
    clientAddress,
    SIGN_IN_FREE_FAILURES_OF_ADDRESS,
    tooManySignInsMessage,
  )
  const userKey = `user ${user} from ${narrowestOf(clientAddress)}`
  try {
    requireTurn(throttle, userKey, SIGN_IN_FREE_FAILURES, tooManySignInsMessage)
  } catch (error) {
    // Refused because of the user, without checking a password, so the address is not at fault.
    refundNetworks()
    throw error
  }
  return {
    succeeded() {
      throttle.forgive(userKey)
      // Earlier failures of the address stay: one valid account must not allow guesses at others.
      refundNetworks()
    },
    unchecked() {
      throttle.refund(userKey)
      refundNetworks()
    },
  }
}

/**
 * Compares the password of a counted attempt with a hash.
 * @throws ApiError 429 if too many passwords wait to be checked; then the attempt is no failure
 */
export async function checkPassword(
  { verify }: PasswordQueue,
  attempt: CountedAttempt,
  password: string,
  phc: string,
  source: PasswordSource,
): Promise<boolean> {
  try {
    return await verify(password, phc, source)
  } catch (error) {
    attempt.unchecked()
    throw error
  }
}
