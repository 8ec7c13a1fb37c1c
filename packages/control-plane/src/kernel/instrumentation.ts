import type { OperationId } from '@steading/api'

/** How the step of a row ended; `lost`: another server has claimed the row meanwhile. */
export type StepOutcome = 'done' | 'failed' | 'lost'

/** A metric that is read when it is asked for. */
export interface Gauge {
  name: string
  help: string
  labels?: Readonly<Record<string, string>>
  value: number
}

/** A failed attempt of a transaction. */
export interface Conflict {
  /** Whether it was a transaction that runs alone. */
  kind: 'alone' | 'concurrent'
  /** The number of the attempt, and how long it took. */
  attempt: number
  seconds: number
  givenUp: boolean
}

/**
 * Callbacks by which the parts of a server report their work, for a host that counts it. They are
 * called all the time, so they only count; values that can be read later are gauges.
 */
export interface Instrumentation {
  /**
   * A call has begun.
   * @param operation undefined if no operation has this path or method
   * @returns a function to call with the status of the answer
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
  /** All counters, and some gauges, in the text format of Prometheus. */
  text: (gauges: readonly Gauge[]) => Promise<string>
}

const ignore = () => {}

/** For hosts that count nothing. */
export const noInstrumentation: Instrumentation = {
  called: () => ignore,
  stepped: ignore,
  found: ignore,
  passed: ignore,
  conflicted: ignore,
  eventsRead: ignore,
  text: async () => '',
}
