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
  className?: string
  /** A help tip beside the header. */
  tip?: ReactNode
  /** The API's name for sorting by it; without it the list cannot be sorted by the column. */
  sort?: string
  /** Only shown when chosen. */
  optional?: true
}

/** How a table is sorted, and what happens when the user chooses another sort. */
export type Sorting = {
  by: string
  descending: boolean
  canSort: (column: string) => boolean
  onSort: (column: string, descending: boolean) => void
}
