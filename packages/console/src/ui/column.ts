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
  /** Least width in pixels of a column without a width, whose values are long. */
  least?: number
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
  /**
   * Hidden unless chosen where the window has no room for all columns: the lowest number first, and
   * of the same the last.
   */
  spare?: 1 | 2 | 3
}

/** Widths of the columns for selection and actions in pixels, as in `table.css`. */
export const SELECT = 44
export const ACTIONS = 48

/** Minimum width of a column in pixels, unless it says otherwise. */
const LEAST = 132
/** Width of a column without a value, in pixels. */
const EMPTY = 104

/** The width of a column. Without a value, a growing one leaves its room to the names. */
const widthOf = <Row>(
  { width, cell }: Column<Row>,
  index: number,
  rows?: readonly Row[],
): number | undefined =>
  !width && index && rows?.[0] && rows.every((row) => cell(row) == null) ? EMPTY : width

/** Room of a list beside the sidebar. */
const ROOM = '100vw - var(--sidebar-width) - 2 * var(--gutter)'

/**
 * The widths of the columns; undefined is the rest. In a list, names get half as much again of the
 * free room as the other growing columns.
 * @param besides width of the columns that are not among them, in pixels
 */
export function widthsOf<Row>(
  columns: readonly Column<Row>[],
  { rows, isList, besides }: { rows?: readonly Row[]; isList: boolean; besides: number },
): (number | string | undefined)[] {
  const widths = columns.map((column, index) => widthOf(column, index, rows))
  const fixed = widths.reduce<number>((sum, width = 0) => sum + width, besides)
  const shares = widths.filter((width) => !width).length + 0.5
  const share = `(${ROOM} - ${fixed}px) / ${shares}`
  return widths.map(
    (width, index) =>
      width ??
      (isList && index > 0 ? `max(${columns[index]!.least ?? LEAST}px, ${share})` : undefined),
  )
}

/** Minimum width of all columns. A table with less room scrolls sideways. */
export const leastWidth = (columns: { width?: number; least?: number }[]): number =>
  columns.reduce((sum, { least = LEAST, width = least }) => sum + width, 0)

/** The current sort, and the handler of another choice. */
export type Sorting = {
  by: string
  descending: boolean
  canSort: (column: string) => boolean
  onSort: (column: string, descending: boolean) => void
}
