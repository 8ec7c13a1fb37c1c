/** The port for an engine's measurements of the things it runs. */
import type { Sample } from '@steading/oxql'

/** Interval between rounds of measurements; milliseconds. */
export const ROUND_MS = 5_000

export interface Measurements {
  /**
   * The samples of a round, in parts of some thousand.
   * @param at the time of the samples; milliseconds
   * @param round its number, which decides about samples due only every other round
   */
  measure: (at: number, round: number) => AsyncIterable<Sample[]>
}
