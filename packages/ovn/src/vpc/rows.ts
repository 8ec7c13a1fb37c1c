/** Rows that the northbound database should have. */
import type { NorthboundTable, northboundTables } from '../northbound/tables.ts'
import type { AnyPlain, Column, Plain } from '../ovsdb/values.ts'

type Columns<T extends NorthboundTable> = {
  [
    C in Exclude<keyof (typeof northboundTables)[T], 'external_ids'>
  ]: (typeof northboundTables)[T][C] extends Column ? Plain<(typeof northboundTables)[T][C]> : never
}

export interface DesiredRow {
  table: NorthboundTable
  /** Names the row among those of its VPC, so that it is found again. References are keys as well. */
  key: string
  columns: Readonly<Record<string, AnyPlain>>
}

/** Columns that are left out have the default of the database. */
export const row = <T extends NorthboundTable>(
  table: T,
  key: string,
  columns: Partial<Columns<T>>,
): DesiredRow => ({ table, key, columns: columns as Record<string, AnyPlain> })

export const keysOf = (rows: readonly DesiredRow[]): string[] => rows.map(({ key }) => key)
