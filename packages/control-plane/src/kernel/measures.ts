import type { OperationId } from '@steading/api'

/** How the step of a row ended; `lost`: another server has claimed the row meanwhile. */
export type StepOutcome = 'done' | 'failed' | 'lost'

/** One value of something that is looked up when metrics are asked for. */
export interface Gauge {
  name: string
  help: string
  labels?: Readonly<Record<string, string>>
  value: number
}

/** An attempt of a transaction that was in vain. */
export interface Conflict {
  /** Whether it was one that runs alone. */
  kind: 'alone' | 'concurrent'
  /** The number of the attempt, and how long it took. */
  attempt: number
  seconds: number
  givenUp: boolean
}

/**
 * What the parts of a server tell of their work, for a host that counts it. These are called all the
 * time, so they only count; what can be looked up later is a gauge.
 */
export interface Measures {
  /**
   * A call has begun.
   * @param operation undefined if the path or the method has none
   * @returns what is called with the status of its answer
   */
  called: (operation: OperationId | undefined) => (status: number) => void
  /** A step of the reconciler has ended. */
  stepped: (kind: string, outcome: StepOutcome, seconds: number) => void
  /** A row was found this long after it had become due. */
  found: (kind: string, seconds: number) => void
  /** The reconciler has looked for due rows. */
  passed: () => void
  /** A transaction conflicted with another one, and is tried again or given up. */
  conflicted: (conflict: Conflict) => void
  /** Events were read from the outbox; the oldest of them this long after it had happened. */
  eventsRead: (count: number, seconds: number) => void
  /** Everything that was counted, and some gauges, in the text format of Prometheus. */
  text: (gauges: readonly Gauge[]) => Promise<string>
}

const ignore = () => {}

/** For hosts that count nothing. */
export const unmeasured: Measures = {
  called: () => ignore,
  stepped: ignore,
  found: ignore,
  passed: ignore,
  conflicted: ignore,
  eventsRead: ignore,
  text: async () => '',
}
