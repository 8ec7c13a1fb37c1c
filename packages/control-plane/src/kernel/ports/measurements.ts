/** The port for what an engine measures of the things that it runs. */
import type { Sample } from '@steading/oxql'

/** Rounds of measurements begin this often; milliseconds. */
export const ROUND_MS = 5_000

export interface Measurements {
  /**
   * What is due in a round, in parts of some thousand samples.
   * @param at the time of the samples; milliseconds
   * @param round its number; what is due every other round goes by it
   */
  measure: (at: number, round: number) => AsyncIterable<Sample[]>
}
