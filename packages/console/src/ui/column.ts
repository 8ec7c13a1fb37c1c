import type { ReactNode } from 'react'

/** A column of a table. */
export type Column<Row> = {
  /** Its name in addresses and in the stored choice of columns. */
  id: string
  /** The text in the document; the style makes capitals. */
  header: string
  cell: (row: Row) => ReactNode
  /** Numbers are aligned at their end. */
  align?: 'end'
  /** In pixels. Columns without a width share the room that the others leave. */
  width?: number
  /**
   * Where the value stands on a phone, where a row has two lines: after the first column in its
   * line, or in the second line. Values of other columns are not shown there.
   */
  phone?: 'first' | 'second'
  /** On a phone, the header stands before the value, which does not say what it is. */
  labelled?: true
  /** A help tip beside the header. */
  tip?: ReactNode
  /** The API's name for sorting by it; without it the list cannot be sorted by the column. */
  sort?: string
  /** Only shown when chosen. */
  optional?: true
}

/** The width of a column at least, in pixels. */
const LEAST = 132

/** The width of all columns at least. A table in less room scrolls sideways. */
export const leastWidth = (columns: { width?: number }[]): number =>
  columns.reduce((sum, { width = LEAST }) => sum + width, 0)

/** How a table is sorted, and what happens when the user chooses another sort. */
export type Sorting = {
  by: string
  descending: boolean
  canSort: (column: string) => boolean
  onSort: (column: string, descending: boolean) => void
}
