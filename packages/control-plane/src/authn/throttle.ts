/**
 * Slows down guessing: after a burst of failures for one user name or from one address, further
 * attempts are refused for a while. Lives in memory; a restart forgives.
 */
export interface LoginThrottle {
  /** Whether an attempt may go ahead now: not after `burst` failures that have not worn off. */
  allows: (key: string, burst: number) => boolean
  failed: (key: string) => void
  succeeded: (key: string) => void
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
  return {
    allows: (key, burst) => current(key) <= burst - 1,
    failed: (key) => {
      const count = current(key) + 1
      failures.delete(key)
      failures.set(key, { count, at: clock().getTime() })
      // Oldest entries first: a flood of names cannot grow the map without bound.
      if (failures.size > MAX_KEYS) failures.delete(failures.keys().next().value!)
    },
    succeeded: (key) => void failures.delete(key),
  }
}
