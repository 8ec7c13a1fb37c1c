/** Timing of the simulated engines, in milliseconds. */
export interface SimulatedOptions {
  bootMs: number
  stopMs: number
  rebootMs: number
  /** A live move; as long as a stop without it. */
  moveMs?: number
}

export const plausible: SimulatedOptions = {
  bootMs: 4_000,
  stopMs: 1_500,
  rebootMs: 3_000,
  moveMs: 6_000,
}
export const instant: SimulatedOptions = { bootMs: 0, stopMs: 0, rebootMs: 0 }
