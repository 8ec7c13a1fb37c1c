import type { ReactNode } from 'react'

/** A column of a table. */
export type Column<Row> = {
  /** Its name in addresses and in what is remembered. */
  id: string
  /** The text in the document; capitals are the style's business. */
  header: string
  cell: (row: Row) => ReactNode
  /** Numbers are aligned at their end. */
  align?: 'end'
  className?: string
  /** A help tip beside the header. */
  tip?: ReactNode
  /** What the API calls it where it sorts by it. */
  sort?: string
  /** Only shown when chosen. */
  optional?: true
}

/** How a table is sorted, and what happens when another sort is asked for. */
export type Sorting = {
  by: string
  descending: boolean
  canSort: (column: string) => boolean
  onSort: (column: string, descending: boolean) => void
}
