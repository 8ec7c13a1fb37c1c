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
