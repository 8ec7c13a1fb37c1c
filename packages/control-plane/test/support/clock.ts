import { vi } from 'vitest'

/**
 * Stops the wall clock and the monotonic clock at their present times; from then on, time passes by
 * `vi.advanceTimersByTime`. Timers keep working.
 * @param now the time of the wall clock, in milliseconds
 */
export function stopClocks(now: number = Date.now()): void {
  // A faked clock begins at zero, so earlier readings would lie in the future.
  const passed = Math.ceil(performance.now())
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: now - passed })
  vi.advanceTimersByTime(passed)
}
