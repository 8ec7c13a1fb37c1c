import { ArrowDown, ArrowUp } from 'lucide-react'
import { type PointerEventHandler, useId } from 'react'
import type { Column, Sorting } from './column.ts'
import { cx } from './cx.ts'
import { capitalized } from './list-controls/count-text.ts'

type HeaderCellProps<Row> = {
  column: Column<Row>
  sorting?: Sorting
  /** Called when the pointer presses the header of a column that can be moved. */
  onPress: PointerEventHandler<HTMLElement> | undefined
}

/** The header of a column: a button if the list can be sorted by it. */
export function HeaderCell<Row>({ column, sorting, onPress }: HeaderCellProps<Row>) {
  const { header, group, align, sort, tip } = column
  const sortable = sort && sorting?.canSort(sort) ? sorting : undefined
  const isSorted = sortable?.by === sort && sortable
  const Arrow = isSorted && isSorted.descending ? ArrowDown : ArrowUp
  const label = useId()
  const shownAs = cx(
    'label',
    /^[a-z][A-Z]/.test(header) && 'first-letter:normal-case',
    // Acronyms, which the contract writes in lower case.
    /^(ip|vpc)$/.test(header) && 'uppercase',
  )
  const text = group ? (
    <>
      {header.slice(0, -group.length).trimEnd()}
      <span className="sr-only"> {group}</span>
    </>
  ) : (
    header
  )
  return (
    <th
      scope="col"
      role="columnheader"
      data-column={column.id}
      onPointerDown={onPress}
      // Excludes the tip from the column's name.
      aria-labelledby={label}
      className={cx(align && 'align-end')}
      aria-sort={isSorted ? (isSorted.descending ? 'descending' : 'ascending') : undefined}
    >
      {sortable && (
        // Names the column, also on a phone, where the header has no button.
        <span id={label} className="phone-head">
          {header}
        </span>
      )}
      {sortable ? (
        <button
          type="button"
          className={cx('sort-button', align && 'flex-row-reverse')}
          onClick={() => sortable.onSort(sort!, isSorted ? !isSorted.descending : false)}
        >
          <span className={shownAs}>{text}</span>
          <Arrow size={12} strokeWidth={2} aria-hidden />
        </button>
      ) : (
        <span id={label} className={shownAs}>
          {text}
        </span>
      )}
      {/* A sortable header already reserves room for its arrow. */}
      {tip && <span className={cx('head-tip', !sortable && 'ms-1')}>{tip}</span>}
    </th>
  )
}

type PhoneSortProps<Row> = { columns: Column<Row>[]; sorting: Sorting }

/** Sort control for phones, where rows have no columns. */
export function PhoneSort<Row>({ columns, sorting }: PhoneSortProps<Row>) {
  const { by, descending, canSort, onSort } = sorting
  const id = useId()
  const sortable = columns.filter(({ sort }) => sort && canSort(sort))
  if (sortable.length === 0) return null
  return (
    <div className="phone-sort">
      <label htmlFor={id}>Sort</label>
      <select
        id={id}
        value={`${by} ${descending}`}
        onChange={({ target }) => {
          const [column, falling] = target.value.split(' ')
          onSort(column!, falling === 'true')
        }}
      >
        {/* Selected when the list is sorted by a hidden column. */}
        <option hidden>—</option>
        {sortable.flatMap(({ sort, header }) =>
          [false, true].map((falling) => (
            <option key={`${sort} ${falling}`} value={`${sort} ${falling}`}>
              {capitalized(header)}, {falling ? 'descending' : 'ascending'}
            </option>
          )),
        )}
      </select>
    </div>
  )
}
