/** Waiting times that double with every failure in a row, up to a maximum. Milliseconds. */
export interface Backoff {
  /** How long to wait after one more failure. */
  failed: () => number
  succeeded: () => void
}

export function createBackoff(first: number, max: number): Backoff {
  let wait = 0
  return {
    failed: () => (wait = Math.min(max, wait === 0 ? first : 2 * wait)),
    succeeded: () => void (wait = 0),
  }
}

/** Minimum milliseconds between two looks at work in progress. */
const SOONEST_MS = 50

/**
 * The time of the next look at work in progress: after a quarter of its age.
 * @param began undefined for nothing in progress
 * @param latest maximum milliseconds until then
 */
export function nextLook(began: string | undefined, now: Date, latest: number): Date {
  const age = began === undefined ? 0 : now.getTime() - Date.parse(began)
  return new Date(now.getTime() + Math.min(latest, Math.max(SOONEST_MS, age / 4)))
}
