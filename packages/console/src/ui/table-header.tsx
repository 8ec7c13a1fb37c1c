import { ArrowDown, ArrowUp } from 'lucide-react'
import { useId } from 'react'
import type { Column, Sorting } from './column.ts'
import { cx } from './cx.ts'

/** The header of a column; a button where the list can be sorted by it. */
export function HeaderCell<Row>({ column, sorting }: { column: Column<Row>; sorting?: Sorting }) {
  const { header, align, sort, tip } = column
  const sortable = sort && sorting?.canSort(sort) ? sorting : undefined
  const isSorted = sortable?.by === sort && sortable
  const Arrow = isSorted && isSorted.descending ? ArrowDown : ArrowUp
  const label = useId()
  return (
    <th
      scope="col"
      role="columnheader"
      // The tip beside it is not a part of its name.
      aria-labelledby={label}
      className={cx(align && 'align-end')}
      aria-sort={isSorted ? (isSorted.descending ? 'descending' : 'ascending') : undefined}
    >
      {sortable ? (
        <button
          type="button"
          id={label}
          className={cx('caps sort-button', align && 'flex-row-reverse')}
          onClick={() => sortable.onSort(sort!, isSorted ? !isSorted.descending : false)}
        >
          {header}
          <Arrow size={12} strokeWidth={2} aria-hidden />
        </button>
      ) : (
        <span id={label} className="caps">
          {header}
        </span>
      )}
      {/* Behind a header that sorts there is the room of its arrow. */}
      {tip && <span className={cx(!sortable && 'ml-1')}>{tip}</span>}
    </th>
  )
}
