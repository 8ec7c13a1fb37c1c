import type { ReactNode } from 'react'

/** A column of a table. */
export type Column<Row> = {
  /** Name in addresses and in the stored choice of columns. */
  id: string
  /** Header text. The style makes its first letter a capital, except in names such as `vCPUs`. */
  header: string
  /** Heading above this column and its neighbours with the same one, which their headers end with. */
  group?: string
  cell: (row: Row) => ReactNode
  /** Numbers are right-aligned. */
  align?: 'end'
  /** In pixels. Columns without a width share the remaining room. */
  width?: number
  /**
   * Position on a phone, where a row has two lines: in the first line after the first column,
   * or in the second line. Columns without it are hidden there.
   */
  phone?: 'first' | 'second'
  /** On a phone, the header precedes the value, which is unclear by itself. */
  labelled?: true
  /** A help tip beside the header. */
  tip?: ReactNode
  /** The API's name for sorting; without it the column is not sortable. */
  sort?: string
  /** Hidden unless chosen. */
  optional?: true
}

/** Minimum width of a column in pixels. */
const LEAST = 132
/** Width of a column without a value, in pixels. */
const EMPTY = 104

/** The width of a column. Without a value, a growing one leaves its room to the names. */
export const widthOf = <Row>(
  { width, cell }: Column<Row>,
  index: number,
  rows?: readonly Row[],
): number | undefined =>
  !width && index && rows?.[0] && rows.every((row) => cell(row) == null) ? EMPTY : width

/** Minimum width of all columns. A table with less room scrolls sideways. */
export const leastWidth = (columns: { width?: number }[]): number =>
  columns.reduce((sum, { width = LEAST }) => sum + width, 0)

/** The current sort, and the handler of another choice. */
export type Sorting = {
  by: string
  descending: boolean
  canSort: (column: string) => boolean
  onSort: (column: string, descending: boolean) => void
}
