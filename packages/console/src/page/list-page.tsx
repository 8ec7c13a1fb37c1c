import type { MethodName } from '@steading/api/client'
import type { ListedKind } from '@steading/api/rules'
import { Outlet } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { invalidate } from '../data/api.ts'
import type { ListFilter } from '../data/list-search.ts'
import { useHistoryAction } from '../history/history-action.ts'
import { useWhoCan } from '../access-panel/ask-access.ts'
import { useStarAction } from '../stars/star-action.tsx'
import type { Column, Sorting } from '../ui/column.ts'
import { DocsPopover } from '../ui/docs-popover.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ListControls, NothingMatches } from '../ui/list-controls/list-controls.tsx'
import type { MenuAction } from '../ui/menu-action.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination, type PaginationProps } from '../ui/pagination.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import type { Selection } from '../ui/table-selection.tsx'
import { Table } from '../ui/table.tsx'
import { ViewsButton } from '../views/views-button.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { type Create, CreateButton, useCreate } from './create-action.tsx'
import { LoadError } from './load-error.tsx'
import { QueryError } from './query-error.tsx'
import { RoleNotice } from './role-notice.tsx'
import { SkipToTable } from './skip-to-table.tsx'

type ListPageProps<Row> = {
  title: string
  /** The name of the table. */
  label: string
  icon: LucideIcon
  noun: { one: string; many: string }
  docs: ComponentProps<typeof DocsPopover>
  /** Between the documentation and the refresh button. */
  status?: ReactNode
  /** The operations that the refresh button reads again. */
  reads: MethodName[]
  create: Create
  /** What `useListPage` returns. */
  list: {
    kind: ListedKind
    views: Omit<ComponentProps<typeof ViewsButton>, 'kind' | 'noun'>
    rows: Row[] | undefined
    pagination: PaginationProps
    error: ComponentProps<typeof QueryError>['error']
    refetch: () => Promise<unknown>
    isFiltered: boolean
    table: { columns: Column<Row>[]; sorting: Sorting; waiting: boolean }
    controls: Omit<ComponentProps<typeof ListControls<ListFilter>>, 'noun' | 'views'>
  }
  /** What `useBulk` returns. */
  bulk?: { selection: Selection | undefined; bar: ReactNode }
  actions: (row: Row) => MenuAction[]
  /** Shown where there is nothing at all; with `create`, the label of a button that creates one. */
  empty: { title: string; body: string; create?: string }
  /** Between a failure to read the list and its controls. */
  above?: ReactNode
  /** The dialogs of the page. */
  children?: ReactNode
}

/** The page of a list: its header, controls, table and pages, under its side modals. */
export function ListPage<Row extends { id: string; name: string }>(props: ListPageProps<Row>) {
  const { title, label, icon: Icon, noun, docs, status, reads, create, children } = props
  const { list, bulk, actions, empty, above } = props
  const { rows, pagination, error, refetch, isFiltered, table, controls } = list
  const star = useStarAction(list.kind)
  const history = useHistoryAction(list.kind)
  const who = useWhoCan(list.kind, list.views.project)
  useCreate(create)
  return (
    <>
      <PageHeader title={title} icon={<Icon strokeWidth={1.5} aria-hidden />}>
        {rows?.length ? <SkipToTable /> : null}
        <DocsPopover {...docs} />
        {status}
        <RefreshButton onRefresh={() => invalidate(...reads)} />
        <CreateButton {...create} />
      </PageHeader>
      {rows && <QueryError error={error} onRetry={refetch} />}
      {above}
      {error && !rows ? (
        <LoadError what={`The ${noun.many}`} error={error} onRetry={refetch}>
          <RoleNotice error={error} />
        </LoadError>
      ) : (
        <>
          <ListControls
            noun={noun}
            {...controls}
            views={<ViewsButton kind={list.kind} noun={noun} {...list.views} />}
          />
          <Table
            label={label}
            {...table}
            rows={rows}
            selection={bulk?.selection}
            actions={(row) => [...star(row), ...history(row), ...who(row), ...actions(row)]}
            empty={
              isFiltered ? (
                <NothingMatches noun={noun} onClear={controls.onClear} />
              ) : (
                <EmptyState
                  icon={<Icon size={20} strokeWidth={1.5} aria-hidden />}
                  title={empty.title}
                  body={empty.body}
                  action={
                    empty.create && (
                      <CreateButton {...create} label={empty.create} icon={undefined} />
                    )
                  }
                />
              )
            }
          />
        </>
      )}
      {bulk?.bar}
      <BottomBar>{rows?.length ? <Pagination {...pagination} /> : null}</BottomBar>
      {children}
      <Outlet />
    </>
  )
}
