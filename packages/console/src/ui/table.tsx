import { useRef, type ReactNode } from 'react'
import type { Column, Sorting } from './column.ts'
import { cx } from './cx.ts'
import type { MenuAction } from './menu-action.ts'
import { RowActions } from './menu.tsx'
import { HeaderCell } from './table-header.tsx'
import { SelectAllCell, SelectCell, useRangeSelection, type Selection } from './table-selection.tsx'
import { EmptyCell } from './text.tsx'
import { useOverflow } from './use-overflow.ts'

type TableProps<Row> = {
  label?: string
  labelledBy?: string
  columns: Column<Row>[]
  /** How the rows are sorted, where that can be chosen. */
  sorting?: Sorting
  /** Undefined while loading: the table shows skeleton rows in its final geometry. */
  rows: Row[] | undefined
  /** What identifies a row across refreshes; the ID if there is one. */
  rowKey?: (row: Row) => string
  actions?: (row: Row) => MenuAction[]
  copyIdLabel?: string
  selection?: Selection
  skeletonRows?: number
  /** Takes the table's place when there are no rows. */
  empty?: ReactNode
}

const idOf = (row: object): string | undefined =>
  'id' in row && typeof row.id === 'string' ? row.id : undefined

const nameOf = (row: object): string | undefined =>
  'name' in row && typeof row.name === 'string' ? row.name : undefined

export function Table<Row extends object>(props: TableProps<Row>) {
  const { label, labelledBy, columns, sorting, rows, actions, copyIdLabel, selection } = props
  const { rowKey = (row: Row) => idOf(row) ?? '', skeletonRows = 8, empty } = props
  const frame = useRef<HTMLDivElement>(null)
  useOverflow(frame)
  const keys = rows?.map(rowKey) ?? []
  const toggle = useRangeSelection(selection, keys)
  if (rows?.length === 0 && empty) return <>{empty}</>
  return (
    <div ref={frame} className="table-frame">
      <table aria-label={label} aria-labelledby={labelledBy} aria-busy={!rows || undefined}>
        <thead>
          <tr>
            {selection && <SelectAllCell selection={selection} keys={keys} />}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sorting={sorting} />
            ))}
            {actions && (
              <th className="actions-cell">
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows?.map((row) => {
            const key = rowKey(row)
            const selected = selection?.isSelected(key) ?? false
            return (
              <tr key={key} className={cx(selected && 'is-selected')}>
                {selection && (
                  <SelectCell
                    checked={selected}
                    name={nameOf(row)}
                    onToggle={(toHere) => toggle(key, toHere)}
                  />
                )}
                {columns.map((column) => (
                  <td key={column.id} className={cx(column.align && 'align-end', column.className)}>
                    {column.cell(row) ?? <EmptyCell />}
                  </td>
                ))}
                {actions && (
                  <td className="actions-cell">
                    <RowActions id={idOf(row)} copyIdLabel={copyIdLabel} items={actions(row)} />
                  </td>
                )}
              </tr>
            )
          }) ?? (
            <SkeletonRows
              rows={skeletonRows}
              columns={columns.length}
              actions={!!actions}
              select={!!selection}
            />
          )}
        </tbody>
      </table>
    </div>
  )
}

/** A pulsing block in the place of a value that is still loading. */
export const SkeletonCell = ({ width = 'w-24' }: { width?: string }) => (
  <span className={cx('block h-3 animate-pulse rounded-sm bg-skeleton', width)} />
)

function SkeletonRows({
  rows,
  columns,
  actions,
  select,
}: {
  rows: number
  columns: number
  actions: boolean
  select: boolean
}) {
  const widths = ['w-32', 'w-40', 'w-20', 'w-24', 'w-28']
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row}>
      {select && <td className="select-cell">&nbsp;</td>}
      {Array.from({ length: columns }, (_, column) => (
        <td key={column}>
          <SkeletonCell width={widths[(row * 2 + column) % widths.length]} />
        </td>
      ))}
      {actions && <td className="actions-cell">&nbsp;</td>}
    </tr>
  ))
}
