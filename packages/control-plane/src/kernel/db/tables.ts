/**
 * Declarations of the resources about their tables, besides the columns. The refusal of taken
 * names, the references and the removal of old rows derive from them.
 */
import type { Operation } from '@steading/api'
import type { Database } from './schema.ts'

export type TableName = keyof Database

/** The value a statement writes to a column. */
export type WrittenValue = (column: string) => unknown

/** A unique index that keeps names unique. */
export interface NameIndex {
  /** The noun for such a resource in messages. */
  type: string | ((value: WrittenValue) => string)
  /** The column that holds its name; `name` by default. */
  column?: string
}

/** A column with a time, if it is more than a text with a time of the past. */
export type TimeColumn =
  /** The time may be later than the clock, for this reason. */
  | { mayBeAhead: string }
  /** The end of a span of time that began at another column of the row; the span keeps its length. */
  | { endsAfter: string }
  /** A number that stands for a time. */
  | { numberOf: (now: Date) => number }

export interface StoredTable {
  /**
   * Rows are marked (`time_deleted`) when their resource is deleted, and removed after a retention
   * time. Without this they are removed at once.
   */
  marked?: true
  /** Column → table it refers to, where that row must not be deleted before this one. */
  within?: Partial<Record<string, TableName>>
  /**
   * Column → table it refers to, where that row may be marked as deleted, but is not removed while
   * this row is live.
   */
  origins?: Partial<Record<string, TableName>>
  /**
   * Column → table it refers to, where this row is useless without that one: it is removed once
   * that one is deleted.
   */
  partOf?: Partial<Record<string, TableName>>
  /**
   * Its column `kind` has a kind with a list in `/x/v1`, and this column the id of such a resource:
   * the row ends with the resource.
   */
  about?: string
  /**
   * For whom its rows act later, if they do; see `Operation.actsLater`. Operations that insert such
   * rows declare the same, as the contract knows no tables.
   */
  actsLater?: Operation['actsLater']
  /** SQL that is true of marked rows whose deletion is not finished; they are not removed yet. */
  unfinished?: string
  /** Its columns with times that are not simply times of the past; see `correctTimesAhead`. */
  times?: Record<string, TimeColumn>
  /** The noun for a row that is no resource of its own, such as a membership. */
  noun?: string
  /** Unique index of names → its declaration, or just the noun for such a resource in messages. */
  names?: Record<string, string | NameIndex>
}

/** Table → its declaration. A table without references, names and special times needs none. */
export type StoredTables = Partial<Record<TableName, StoredTable>>

let tables: ReadonlyMap<TableName, StoredTable> = new Map()

/**
 * Sets the declarations of all tables; `compose` calls it.
 * @throws Error if a table is declared twice
 */
export function composeTables(all: readonly StoredTables[]): void {
  const entries = all.flatMap((some) => Object.entries(some) as [TableName, StoredTable][])
  tables = new Map(entries)
  if (tables.size < entries.length) throw new Error('a table is declared twice')
}

export const storedTables = (): ReadonlyMap<TableName, StoredTable> => tables

/** Tables about resources of all kinds, each with the column of the resource's id. */
export const tablesAbout = (): { table: TableName; column: string }[] =>
  [...tables].flatMap(([table, { about }]) => (about ? [{ table, column: about }] : []))

/** Tables whose rows are marked when their resource is deleted. */
export const markedTables = (): TableName[] =>
  [...tables].flatMap(([name, { marked }]) => (marked ? [name] : []))
