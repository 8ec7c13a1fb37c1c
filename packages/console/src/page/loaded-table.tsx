import type { LucideIcon } from 'lucide-react'
import { type ComponentProps, type ReactNode, useMemo } from 'react'
import { BottomBar } from '../ui/bottom-bar.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { fittingColumns } from '../ui/mark-overflow.ts'
import { Pagination, type PaginationProps } from '../ui/pagination.tsx'
import { Table } from '../ui/table.tsx'
import { LoadError } from './load-error.tsx'
import { QueryError } from './query-error.tsx'

type LoadedTableProps<Row extends object> = Omit<
  ComponentProps<typeof Table<Row>>,
  'rows' | 'empty'
> & {
  /** Subject of the sentence: `The disks`. */
  what: string
  read: { rows: Row[] | undefined; error: unknown; refetch: () => Promise<unknown> }
  /** Replaces a table without rows. */
  empty?: { icon: LucideIcon; title: string; body: string; action?: ReactNode }
}

/** A table of a query, or a message in its place. Rows stay if a refetch fails. */
export function LoadedTable<Row extends object>(props: LoadedTableProps<Row>) {
  const { what, read, empty, ...table } = props
  const { rows, error, refetch } = read
  const Icon = empty?.icon
  if (error && !rows) return <LoadError what={what} error={error} onRetry={refetch} />
  return (
    <>
      <QueryError error={error} onRetry={refetch} />
      <Table
        {...table}
        rows={rows}
        empty={
          empty &&
          Icon && (
            <EmptyState
              icon={<Icon size={20} strokeWidth={1.5} aria-hidden />}
              title={empty.title}
              body={empty.body}
              action={empty.action}
            />
          )
        }
      />
    </>
  )
}

type PagedTableProps<Row extends object> = LoadedTableProps<Row> & {
  /** Result of `usePages`. */
  read: { pagination: PaginationProps }
}

/** The same as the content of a screen, with its pages at the bottom. */
export function PagedTable<Row extends object>(props: PagedTableProps<Row>) {
  // The same ones as long as the columns are, or all rows would be drawn again.
  const columns = useMemo(() => fittingColumns(props.columns), [props.columns])
  return (
    <>
      <LoadedTable {...props} columns={columns} />
      <BottomBar>
        <Pagination {...props.read.pagination} />
      </BottomBar>
    </>
  )
}
