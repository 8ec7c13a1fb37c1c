import { SIGN_IN_FIRST_WAIT_MS, SIGN_IN_FORGET_MS, SIGN_IN_MAX_WAIT_MS } from '@steading/api/rules'

/**
 * Slows down guessing: after some failures under a key, the next attempts have to wait, longer after
 * each. Lives in memory; a restart forgives.
 */
export interface LoginThrottle {
  /**
   * Takes an attempt, which counts as a failure from now on: many at once are no way around.
   * @param free failures that cost nothing
   * @returns 0 if it may go ahead, else the milliseconds to wait; what has to wait is no failure
   */
  attempt: (key: string, free: number) => number
  /** Takes one attempt back that was none of guessing. */
  refund: (key: string) => void
  /** Forgets all failures. */
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
    // Oldest entries first: a flood of names cannot grow the map without bound.
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
