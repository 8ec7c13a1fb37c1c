import { vi } from 'vitest'

/** Less could pass on a slow machine before it matters. */
const LEAST_LEAD_MS = 60_000

/**
 * A time so far ahead, or behind, that no test gets there, or any time of the stopped test clock.
 */
export function fromNow(milliseconds: number): Date {
  if (milliseconds > 0 && milliseconds < LEAST_LEAD_MS && !vi.isFakeTimers()) {
    throw new Error('a slow machine may get there: stop the clock')
  }
  return new Date(new Date().getTime() + milliseconds)
}

/** A time that may pass at any moment of the test: what it shows holds before and after. */
export const aroundNow = (milliseconds: number): Date =>
  new Date(new Date().getTime() + milliseconds)
