/**
 * Slows down guessing: after a burst of failures for one user name or from one address, further
 * attempts are refused for a while. Lives in memory; a restart forgives.
 */
export interface LoginThrottle {
  /**
   * Whether an attempt may go ahead: not after `burst` failures that have not worn off. It counts
   * as a failure from now on, so that many at once are no way around.
   */
  attempt: (key: string, burst: number) => boolean
  /** Takes one attempt back that was none of guessing. */
  refund: (key: string) => void
  /** Forgets all failures. */
  forgive: (key: string) => void
}

/** Failures for one user name before further attempts have to wait. */
export const USER_BURST = 10
/** More for one address: an office may share it. */
export const ADDRESS_BURST = 50
const REFILL_MS = 6_000
const MAX_KEYS = 10_000

export function createLoginThrottle(clock: () => Date): LoginThrottle {
  const failures = new Map<string, { count: number; at: number }>()
  const current = (key: string): number => {
    const entry = failures.get(key)
    if (!entry) return 0
    return Math.max(0, entry.count - (clock().getTime() - entry.at) / REFILL_MS)
  }
  const set = (key: string, count: number) => {
    failures.delete(key)
    failures.set(key, { count, at: clock().getTime() })
    // Oldest entries first: a flood of names cannot grow the map without bound.
    if (failures.size > MAX_KEYS) failures.delete(failures.keys().next().value!)
  }
  return {
    attempt(key, burst) {
      const count = current(key)
      if (count > burst - 1) return false
      set(key, count + 1)
      return true
    },
    refund: (key) => set(key, Math.max(0, current(key) - 1)),
    forgive: (key) => void failures.delete(key),
  }
}
