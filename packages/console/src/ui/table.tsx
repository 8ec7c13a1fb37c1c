import {
  Fragment,
  memo,
  startTransition,
  useEffect,
  useRef,
  useState,
  type PointerEvent,
  type ReactNode,
} from 'react'
import { ACTIONS, type Column, leastWidth, SELECT, type Sorting, widthsOf } from './column.ts'
import { cx } from './cx.ts'
import { roveRows } from './keyboard/rows.ts'
import { markOverflow, willOverflow } from './mark-overflow.ts'
import { copyAction, type MenuAction } from './menu-action.ts'
import { RowActions } from './menu.tsx'
import { RowActionsContext, useProvideRowActions } from './row-actions.ts'
import { capitalized } from './list-controls/count-text.ts'
import { HeaderCell, PhoneSort } from './table-header.tsx'
import { SelectAllCell, SelectCell, useRangeSelection, type Selection } from './table-selection.tsx'
import { EmptyCell } from './text.tsx'

type TableProps<Row> = {
  label?: string
  labelledBy?: string
  columns: Column<Row>[]
  /** Current sort, if the table is sortable. */
  sorting?: Sorting
  /** Undefined while loading: the table shows skeleton rows in its final geometry. */
  rows: Row[] | undefined
  /** Identity of a row across refreshes; defaults to the ID. */
  rowKey?: (row: Row) => string
  actions?: (row: Row) => MenuAction[]
  copyIdLabel?: string
  selection?: Selection
  /** The rows are outdated and dimmed until the next ones arrive. */
  waiting?: boolean
  /** Called with the columns after the first in another order, if they can be moved. */
  onOrder?: (ids: string[]) => void
  skeletonRows?: number
  /** Replaces the table when there are no rows. */
  empty?: ReactNode
  /** Content of a row above that with an index, where a group begins. */
  groupHead?: (index: number) => ReactNode
  /** A row above the headers: `GroupHeadings`. */
  headings?: ReactNode
}

const idOf = (row: object): string | undefined =>
  'id' in row && typeof row.id === 'string' ? row.id : undefined

/** Name of a row for screen readers, if its resource has one. */
function nameOf(row: object): string | undefined {
  const { name, displayName } = row as { name?: string; displayName?: string }
  return name ?? displayName
}

/** Rows of the first frame, enough to fill the window. */
const firstRows = () => Math.ceil(innerHeight / 40)

/**
 * Number of rows to draw. Visible rows do not wait for others: these are drawn after the first
 * paint, and their room is reserved until then.
 */
function useDrawnRows(count: number): number {
  const [first] = useState(firstRows)
  const [all, setAll] = useState(false)
  const many = count > first
  useEffect(() => {
    if (!many) return undefined
    const frame = requestAnimationFrame(() => startTransition(() => setAll(true)))
    return () => cancelAnimationFrame(frame)
  }, [many])
  return all || !many ? count : first
}

/**
 * Columns have fixed widths, so that they stay in place from page to page. On a phone, the
 * style alone turns a row into two lines; explicit roles keep the table's semantics, because
 * browsers ignore parts of a table with another `display`.
 */
export function Table<Row extends object>(props: TableProps<Row>) {
  const { label, labelledBy, columns, sorting, rows, actions, selection } = props
  const { waiting = false, copyIdLabel = 'Copy ID' } = props
  const {
    rowKey = (row: Row) => idOf(row) ?? '',
    skeletonRows = 8,
    empty,
    headings,
    onOrder,
    groupHead,
  } = props
  const keys = rows?.map(rowKey) ?? []
  const drawn = useDrawnRows(keys.length)
  const missing = keys.length - drawn
  // A row with an ID offers to copy it first.
  const actionsOf = (row: Row): MenuAction[] => {
    const id = idOf(row)
    return [...(id ? [copyAction(copyIdLabel, id)] : []), ...(actions?.(row) ?? [])]
  }
  const body = useRef<HTMLTableSectionElement>(null)
  useProvideRowActions(body, (index) => {
    const row = rows?.[index]
    return row && actions && actionsOf(row)
  })
  const besides = (selection ? SELECT : 0) + (actions ? ACTIONS : 0)
  const minWidth = leastWidth(columns) + besides
  const widths = widthsOf(columns, { rows, isList: sorting !== undefined, besides })
  // Only for the first frame; afterwards `markOverflow` decides.
  const [overflowing] = useState(() => willOverflow(minWidth))
  const toggle = useRangeSelection(selection, keys)
  const press = async ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { dragColumn } = await import('./drag-column.ts')
    dragColumn(
      currentTarget,
      clientX,
      columns.slice(1).map(({ id }) => id),
      onOrder!,
    )
  }
  if (rows?.length === 0 && empty) return <>{empty}</>
  return (
    <RowActionsContext value={actionsOf}>
      <div
        ref={markOverflow}
        className="table-frame"
        data-overflowing={overflowing ? '' : undefined}
      >
        {sorting && <PhoneSort columns={columns} sorting={sorting} />}
        <table
          ref={roveRows}
          role="table"
          aria-label={label}
          aria-labelledby={labelledBy}
          aria-busy={!rows || waiting || undefined}
          style={{ minWidth, marginBottom: `calc(${missing} * var(--row-height))` }}
        >
          <colgroup>
            {selection && <col className="select-column" />}
            {columns.map((column, index) => (
              <col key={column.id} style={{ width: widths[index] }} />
            ))}
            {actions && <col className="actions-column" />}
          </colgroup>
          <thead role="rowgroup">
            {headings}
            <tr role="row">
              {selection && <SelectAllCell selection={selection} keys={keys} />}
              {columns.map((column, index) => (
                <HeaderCell
                  key={column.id}
                  column={column}
                  sorting={sorting}
                  onPress={onOrder && index > 0 ? press : undefined}
                />
              ))}
              {actions && (
                <th role="columnheader" className="actions-cell">
                  <span className="sr-only">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody ref={body} role="rowgroup" className={cx(waiting && 'is-waiting')}>
            {/* In fragments with keys, so that rows stay the same elements when others arrive. */}
            {rows?.slice(0, drawn).map((row, index) => {
              const key = rowKey(row)
              const head = groupHead?.(index)
              return (
                <Fragment key={key}>
                  {head && (
                    <tr role="row" className="group-row">
                      <td
                        role="cell"
                        colSpan={columns.length + Number(!!selection) + Number(!!actions)}
                      >
                        {head}
                      </td>
                    </tr>
                  )}
                  <TableRow
                    id={key}
                    row={row}
                    columns={columns}
                    selected={selection?.isSelected(key)}
                    onToggle={toggle}
                    hasActions={!!actions}
                  />
                </Fragment>
              )
            }) ?? (
              <SkeletonRows
                rows={skeletonRows}
                columns={columns}
                actions={!!actions}
                select={!!selection}
              />
            )}
          </tbody>
        </table>
      </div>
    </RowActionsContext>
  )
}

type RowProps<Row> = {
  /** Id of the row; its resource may have none. */
  id: string
  row: Row
  columns: Column<Row>[]
  /** Undefined if rows are not selectable. */
  selected: boolean | undefined
  onToggle: (key: string, toHere: boolean) => void
  hasActions: boolean
}

/** Redrawn only on changes: rows are most of a list's work. */
const TableRow = memo(function TableRow<Row extends object>(props: RowProps<Row>) {
  const { id, row, columns, selected, onToggle, hasActions } = props
  return (
    <tr role="row" className={cx(selected && 'is-selected')}>
      {selected !== undefined && (
        <SelectCell
          checked={selected}
          name={nameOf(row)}
          onToggle={(toHere) => onToggle(id, toHere)}
        />
      )}
      {columns.map((column, index) => (
        <td
          key={column.id}
          role="cell"
          className={cellClass(column, index)}
          data-label={column.labelled && capitalized(column.header)}
        >
          {column.cell(row) ?? <EmptyCell />}
        </td>
      ))}
      {hasActions && (
        <td role="cell" className="actions-cell">
          <RowActions row={row} name={nameOf(row)} />
        </td>
      )}
    </tr>
  )
}) as <Row extends object>(props: RowProps<Row>) => ReactNode

const cellClass = <Row,>({ align, phone, width }: Column<Row>, index: number) =>
  cx(align && 'align-end', !width && 'grows', index === 0 ? 'lead-cell' : phone && `${phone}-line`)

/** A pulsing placeholder for a value that is still loading. */
export const SkeletonCell = ({ width = 'w-24' }: { width?: string }) => (
  <span className={cx('my-1 block h-3 animate-pulse rounded-sm bg-skeleton', width)} />
)

function SkeletonRows<Row>({
  rows,
  columns,
  actions,
  select,
}: {
  rows: number
  columns: Column<Row>[]
  actions: boolean
  select: boolean
}) {
  const widths = ['w-32', 'w-40', 'w-20', 'w-24', 'w-28']
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row} role="row">
      {select && (
        <td role="cell" className="select-cell">
          &nbsp;
        </td>
      )}
      {columns.map((column, index) => (
        <td key={column.id} role="cell" className={cellClass(column, index)}>
          <SkeletonCell width={widths[(row * 2 + index) % widths.length]} />
        </td>
      ))}
      {actions && (
        <td role="cell" className="actions-cell">
          &nbsp;
        </td>
      )}
    </tr>
  ))
}
