/** The parts of the reconciler that resources and hosts use. */
import type { RawBuilder, Selectable, Updateable } from 'kysely'
import type { Db, OpenDatabase } from '../db/database.ts'
import type { Database, Reconciled } from '../db/schema.ts'
import type { EventFeed } from '../events/feed.ts'
import type { Instrumentation } from '../instrumentation.ts'
import type { Task } from '../task.ts'
import type { Settings } from '../settings.ts'

export interface StartOptions {
  /**
   * The alarms of all rows are by the present clock. Otherwise all rows with an alarm are due at
   * once, because the clock may have been set back since.
   */
  keepsAlarms?: boolean
}

/** Tables whose rows the reconciler handles: those with the columns of `Reconciled`. */
export type ReconciledTable = {
  [T in keyof Database]: Database[T] extends Reconciled ? T : never
}[keyof Database]

/** New values of a claimed row, written only if some of its columns are unchanged. */
export interface Outcome<T extends ReconciledTable> {
  values: {
    [C in keyof Updateable<Database[T]>]:
      | Updateable<Database[T]>[C]
      | RawBuilder<Updateable<Database[T]>[C]>
  }
  /** Columns and the values they must still have. */
  unchanged: Partial<Selectable<Database[T]>>
}

/** The claim of one row, for as long as its step takes. */
export interface Step<T extends ReconciledTable = ReconciledTable> {
  now: Date
  /** Token of the claim, for the actions of engines. */
  fence: number
  /** Reconciles another row first, on which this one depends. */
  first: (table: ReconciledTable, id: string) => Promise<void>
  /** Tells the reconciler, once this step is over, that a row of another table may be due. */
  wake: (table: ReconciledTable) => void
  /**
   * Ends the claim, in the transaction that writes the outcome. An earlier alarm stays.
   * @param at when the row is due again; null waits for a wake-up
   * @param outcome new values of the row, written in the same statement
   * @returns the row with the new values, or undefined if they were not written
   * @throws LostClaim if another step has claimed the row meanwhile
   */
  end(db: Db, at: Date | null): Promise<void>
  end(db: Db, at: Date | null, outcome: Outcome<T>): Promise<Selectable<Database[T]> | undefined>
}

/** The reconciliation of one kind of resource. */
export interface Reconciliation<T extends ReconciledTable = ReconciledTable> {
  table: T
  /**
   * Takes the next step of a claimed row. A step that does not end its claim waits for a wake-up.
   */
  reconcile(step: Step<T>, row: Selectable<Database[T]>): Promise<void>
  /**
   * Compares all rows with the engines, and sets the alarm of rows that differ, so that a lost
   * wake-up only causes a delay. Runs at the start and periodically.
   */
  resync?(): Promise<void>
}

/** Kinds that one loop handles in this order: a kind comes before those that depend on it. */
export interface ReconcilerLoop {
  of: Reconciliation[]
  /** Number of rows reconciled at the same time. */
  concurrency: number
}

export interface Reconciler {
  /** The tables of all its kinds. */
  tables: readonly ReconciledTable[]
  /** Its work besides the steps. */
  tasks: readonly Task[]
  start: (options?: StartOptions) => Promise<void>
  stop: () => Promise<void>
  /** For how long the longest of the steps runs that this server is taking; milliseconds. */
  longestSteps: () => ReadonlyMap<ReconciledTable, number>
  /** Tells the reconciler that a row may be due: a row of the given table, or of any. */
  wake: (table?: ReconciledTable) => void
  /**
   * Reconciles one row now, and waits until no step has claimed it, here or on another server.
   * @param limitMs the longest wait; by default as long as a create may wait
   */
  settle: (table: ReconciledTable, id: string, limitMs?: number) => Promise<void>
}

export interface ReconcilerParts {
  database: OpenDatabase
  settings: Settings
  clock: () => Date
  feed: EventFeed
  measures: Instrumentation
}
