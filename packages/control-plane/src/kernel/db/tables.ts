/**
 * What is known of each table besides its columns. The resource that a table belongs to declares it
 * once; taken names, references and the removal of old rows derive from it.
 */
import type { Database } from './schema.ts'

export type TableName = keyof Database

/** The value a statement writes to a column. */
export type WrittenValue = (column: string) => unknown

/** What a unique index of names keeps apart. */
export interface NameIndex {
  /** What messages call a thing of this kind. */
  type: string | ((value: WrittenValue) => string)
  /** The column that holds its name; `name` unless told otherwise. */
  column?: string
}

export interface StoredTable {
  /**
   * Rows are marked (`time_deleted`) when their thing is deleted, and removed after a while; without
   * this they are removed at once.
   */
  marked?: true
  /** Column → table: the other row is not deleted before this one. */
  within?: Partial<Record<string, TableName>>
  /** Column → table: the other row may be deleted, but is kept as long as this one is live. */
  origins?: Partial<Record<string, TableName>>
  /** SQL that is true of marked rows that still stand for something, and have to stay. */
  unfinished?: string
  /** Unique index of names → what it keeps apart; a text is what messages call it. */
  names?: Record<string, string | NameIndex>
}

const tables = new Map<TableName, StoredTable>()

/** @throws Error if the table has been declared already */
export function storeTable(name: TableName, declaration: StoredTable): void {
  if (tables.has(name)) throw new Error(`the table ${name} is declared twice`)
  tables.set(name, declaration)
}

export const storedTables = (): ReadonlyMap<TableName, StoredTable> => tables

/** Tables whose rows are marked when their thing is deleted. */
export const markedTables = (): TableName[] =>
  [...tables].flatMap(([name, { marked }]) => (marked ? [name] : []))
