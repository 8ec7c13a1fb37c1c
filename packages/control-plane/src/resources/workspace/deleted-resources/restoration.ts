/**
 * The declarations of the kinds about restoring their deleted resources. The rows that a deletion
 * removes or changes are found by the references between the tables; a kind declares only what its
 * rows do not say: resources that are allocated elsewhere, such as addresses and bytes.
 */
import type { AnyRow } from '../../../kernel/db/any-table.ts'
import type { Db } from '../../../kernel/db/database.ts'
import type { TableName } from '../../../kernel/db/tables.ts'
import { type Row, storedKinds } from '../../../kernel/kinds.ts'
import type { Work, Writing } from '../../../kernel/work.ts'

/** The context in which a row is restored. */
export interface Restoring {
  work: Work
  /** Tells the user about a part that does not return as it was. */
  note: (sentence: string) => void
}

/** A reason that a row cannot be restored. The row of a resource refuses the whole restoration. */
export class CannotRestore extends Error {}

/**
 * Prepares a removed row for its return, and takes what it needs: its addresses.
 * @returns the row to write
 * @throws CannotRestore
 */
export type RestoreRow = (restoring: Restoring, row: never) => Promise<object>

export interface Restoration {
  /** Bytes of a resource that stay until it is released. */
  size?: (row: never) => number
  /**
   * Columns that refer to such resources and that no deletion changes, because it is refused while
   * they do.
   */
  untouched?: readonly string[]
  /** Rows that its deletion removes, besides the rows that refer to it. */
  also?: (db: Db, row: never) => Promise<{ table: TableName; rows: AnyRow[] }[]>
  /** Frees the bytes of a resource, once it cannot be restored any more. */
  release?: (writing: Writing, deleted: Row<'deleted_resource'>) => Promise<void>
}

declare module '../../../kernel/kinds.ts' {
  interface Storage {
    /** How its deleted resources are kept and released; none are kept without this. */
    restoration?: Restoration
    /** Tables of its rows → the preparation of a removed row. */
    restoredRows?: Partial<Record<TableName, RestoreRow>>
    /**
     * References of its table that a resource can be without: it is restored without a value if
     * the row referred to is gone, and the user is told this sentence.
     */
    restoredWithout?: Partial<Record<string, string | null>>
  }
}

/** The preparation of the removed rows of a table, if a kind declares one. */
export const restoreRowOf = (table: TableName): RestoreRow | undefined => {
  for (const { restoredRows } of storedKinds()) {
    if (restoredRows?.[table]) return restoredRows[table]
  }
  return undefined
}

/** The sentence for a missing reference that a row can be without; undefined if it cannot. */
export const restoredWithout = (table: TableName, column: string): string | null | undefined => {
  for (const { table: own, restoredWithout: without } of storedKinds()) {
    if (own === table && without && column in without) return without[column]
  }
  return undefined
}
