import { SIGN_IN_FIRST_WAIT_MS, SIGN_IN_FORGET_MS, SIGN_IN_MAX_WAIT_MS } from '@steading/api/rules'
import { ApiError, fail } from '../../../kernel/errors.ts'

/**
 * Slows down guessing: after some failures under a key, the next attempts have to wait, longer
 * after each failure. Kept in memory; a restart clears all failures.
 */
export interface LoginThrottle {
  /**
   * Counts an attempt, as a failure from the start, so that parallel attempts are slowed down too.
   * @param free failures that cost nothing
   * @returns 0 if the attempt may proceed, otherwise the milliseconds to wait; an attempt that
   *   has to wait is not counted
   */
  attempt: (key: string, free: number) => number
  /** Takes back one attempt that turned out not to be a failure. */
  refund: (key: string) => void
  /** Clears all failures under a key. */
  forgive: (key: string) => void
}

const MAX_KEYS = 10_000

/** @param now milliseconds of a clock that never goes back */
export function createLoginThrottle(now: () => number = () => performance.now()): LoginThrottle {
  const failures = new Map<string, { count: number; at: number }>()
  const current = (key: string) => {
    const entry = failures.get(key)
    return entry && now() - entry.at < SIGN_IN_FORGET_MS ? entry : { count: 0, at: -Infinity }
  }
  const set = (key: string, count: number, at: number) => {
    failures.delete(key)
    failures.set(key, { count, at })
    // Removes the oldest entries, so that a flood of names cannot grow the map without bound.
    if (failures.size > MAX_KEYS) failures.delete(failures.keys().next().value!)
  }
  return {
    attempt(key, free) {
      const { count, at } = current(key)
      if (count >= free) {
        const wait = Math.min(SIGN_IN_MAX_WAIT_MS, SIGN_IN_FIRST_WAIT_MS * 2 ** (count - free))
        const left = at + wait - now()
        if (left > 0) return left
      }
      set(key, count + 1, now())
      return 0
    },
    refund(key) {
      const { count, at } = current(key)
      if (count > 0) set(key, count - 1, at)
    },
    forgive: (key) => void failures.delete(key),
  }
}

/** The 429 of a caller who has to wait so many milliseconds. */
export const waitRefusal = (waitMs: number, message: (waitMs: number) => string): ApiError =>
  new ApiError(fail.tooManyRequests(message(waitMs)).template, {
    'retry-after': String(Math.ceil(waitMs / 1000)),
  })

/**
 * Counts an attempt under a key, as a failure until it is forgiven or refunded.
 * @param free failures that cost nothing
 * @param message for a caller who has to wait so many milliseconds
 * @throws ApiError 429 if the caller has to wait
 */
export function requireTurn(
  throttle: LoginThrottle,
  key: string,
  free: number,
  message: (waitMs: number) => string,
): void {
  const wait = throttle.attempt(key, free)
  if (wait > 0) throw waitRefusal(wait, message)
}
