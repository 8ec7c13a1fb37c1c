/** The parts of the reconciler that resources and hosts see. */
import type { Selectable, Updateable } from 'kysely'
import type { Db, OpenDatabase } from '../db/database.ts'
import type { Database, Reconciled } from '../db/schema.ts'
import type { EventFeed } from '../events/feed.ts'
import type { Measures } from '../measures.ts'
import type { Settings } from '../settings.ts'

/** Tables whose rows the reconciler handles: those with the columns of `Reconciled`. */
export type ReconciledTable = {
  [T in keyof Database]: Database[T] extends Reconciled ? T : never
}[keyof Database]

/** New values of a claimed row, which are written only if some of its columns are unchanged. */
export interface Outcome<T extends ReconciledTable> {
  values: Updateable<Database[T]>
  /** Columns with the values that they must still have. */
  unchanged: Partial<Selectable<Database[T]>>
}

/** The claim of one row, for as long as its step takes. */
export interface Step<T extends ReconciledTable = ReconciledTable> {
  now: Date
  /** Reconciles something this row depends on first. */
  first: (table: ReconciledTable, id: string) => Promise<void>
  /** Tells the reconciler, once this step is over, that a row of another table may be due. */
  wake: (table: ReconciledTable) => void
  /**
   * Ends the claim, in the transaction that writes the outcome. An earlier alarm stays.
   * @param at when the row is due again; null waits for a notice
   * @param outcome new values of the row, written in the same statement
   * @returns the row with the new values, or undefined if they were not written
   * @throws LostClaim if another step has claimed the row meanwhile
   */
  end(db: Db, at: Date | null): Promise<void>
  end(db: Db, at: Date | null, outcome: Outcome<T>): Promise<Selectable<Database[T]> | undefined>
}

/** How one kind of thing is reconciled. */
export interface Reconciliation<T extends ReconciledTable = ReconciledTable> {
  table: T
  /** Takes the next step of a claimed row. A step that does not end its claim waits for a notice. */
  reconcile(step: Step<T>, row: Selectable<Database[T]>): Promise<void>
  /**
   * Compares all rows with the engines, and sets the alarm of rows that differ, so that a lost
   * notice only causes a delay. Runs at the start and periodically.
   */
  survey?(): Promise<void>
}

/** Kinds that one loop handles in this order: a kind that others depend on comes first. */
export interface Round {
  of: Reconciliation[]
  /** Number of rows that are reconciled at the same time. */
  concurrency: number
}

export interface Reconciler {
  /** The tables of all kinds that it handles. */
  tables: readonly ReconciledTable[]
  start: () => Promise<void>
  stop: () => Promise<void>
  /** Tells the reconciler that a row may be due: one of a table, or without one of any. */
  wake: (table?: ReconciledTable) => void
  /**
   * Reconciles one row now, and waits until no step has claimed it, here or at another server.
   * @param limitMs the longest wait; by default as long as a create may wait
   */
  settle: (table: ReconciledTable, id: string, limitMs?: number) => Promise<void>
}

export interface ReconcilerParts {
  database: OpenDatabase
  settings: Settings
  clock: () => Date
  feed: EventFeed
  measures: Measures
}
