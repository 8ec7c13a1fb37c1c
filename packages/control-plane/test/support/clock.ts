import { vi } from 'vitest'

/**
 * Stops the clock of the wall and the one that is never set back, each where it is; time then passes
 * by `vi.advanceTimersByTime`. Timers go on.
 * @param now where the clock of the wall stands, in milliseconds
 */
export function stopClocks(now: number = Date.now()): void {
  // A faked clock begins at zero: what was noted before would lie in the future.
  const passed = Math.ceil(performance.now())
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: now - passed })
  vi.advanceTimersByTime(passed)
}
