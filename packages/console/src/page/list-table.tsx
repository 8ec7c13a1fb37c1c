import type { ComponentProps, ReactNode } from 'react'
import type { ListFilter } from '../data/list-search.ts'
import type { Column, Sorting } from '../ui/column.ts'
import { ListControls, NothingMatches } from '../ui/list-controls/list-controls.tsx'
import type { MenuAction } from '../ui/menu-action.ts'
import { Pagination, type PaginationProps } from '../ui/pagination.tsx'
import type { Selection } from '../ui/table-selection.tsx'
import { Table } from '../ui/table.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { QueryError } from './query-error.tsx'

type Noun = { one: string; many: string }

type ListTableProps<Row> = {
  label: string
  noun: Noun
  /** What `useListPage` gives. */
  list: {
    rows: Row[] | undefined
    pagination: PaginationProps
    error: ComponentProps<typeof QueryError>['error']
    refetch: () => unknown
    isFiltered: boolean
    table: { columns: Column<Row>[]; sorting: Sorting }
    controls: Omit<ComponentProps<typeof ListControls<ListFilter>>, 'noun'>
  }
  /** What `useBulk` gives. */
  bulk?: { selection: Selection | undefined; bar: ReactNode }
  actions: (row: Row) => MenuAction[]
  /** Shown where there is nothing at all. */
  empty: ReactNode
  /** Between a failure to read the list and its controls. */
  above?: ReactNode
}

/** What the page of every list is made of, below its header. */
export function ListTable<Row extends { id: string }>(props: ListTableProps<Row>) {
  const { label, noun, list, bulk, actions, empty, above } = props
  const { rows, pagination, error, refetch, isFiltered, table, controls } = list
  return (
    <>
      <QueryError error={error} onRetry={refetch} />
      {above}
      <ListControls noun={noun} {...controls} />
      <Table
        label={label}
        {...table}
        rows={rows}
        selection={bulk?.selection}
        actions={actions}
        empty={isFiltered ? <NothingMatches noun={noun} onClear={controls.onClear} /> : empty}
      />
      {bulk?.bar}
      <BottomBar>{rows?.length ? <Pagination {...pagination} /> : null}</BottomBar>
    </>
  )
}
