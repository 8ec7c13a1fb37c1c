import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import type { ListedKind } from '@steading/api/rules'
import { useHistoryAction } from '../workspace/history/history-action.ts'
import { useWhoCan } from '../workspace/who-can/ask-access.ts'
import { useStarAction } from '../workspace/stars/stars.tsx'
import type { Column, Sorting } from '../ui/column.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ListControls, NothingMatches } from '../ui/list-controls/list-controls.tsx'
import type { Noun } from '../ui/list-controls/count-text.ts'
import type { MenuAction } from '../ui/menu-action.ts'
import { Pagination, type PaginationProps } from '../ui/pagination.tsx'
import type { Selection } from '../ui/table-selection.tsx'
import { Table } from '../ui/table.tsx'
import { ViewsButton } from '../workspace/views/views-button.tsx'
import { BottomBar } from '../ui/bottom-bar.tsx'
import { type Create, CreateButton } from './create-action.tsx'
import { LoadError, RoleNotice } from './load-error.tsx'
import { QueryError } from './query-error.tsx'

export type ListContentsProps<Row> = {
  /** Name of the table. */
  label: string
  icon: LucideIcon
  noun: Noun
  /** Omitted for resources that users do not create. */
  create?: Create
  /** Result of `useListPage`. */
  list: {
    /** Kind of the saved views. */
    kind: ListedKind
    kindOf: (row: Row) => ListedKind
    views: Omit<ComponentProps<typeof ViewsButton>, 'kind' | 'noun'>
    rows: Row[] | undefined
    pagination: PaginationProps
    error: ComponentProps<typeof QueryError>['error']
    refetch: () => Promise<unknown>
    isFiltered: boolean
    groupHead: ((index: number, noun: Noun) => ReactNode) | undefined
    table: {
      columns: Column<Row>[]
      sorting: Sorting
      waiting: boolean
      onOrder: (ids: string[]) => void
    }
    controls: Omit<ComponentProps<typeof ListControls<string>>, 'noun' | 'views'>
  }
  /** Result of `useBulk`. */
  bulk?: { selection: Selection | undefined; bar: ReactNode }
  actions: (row: Row) => MenuAction[]
  /** Texts of an empty list; with `create`, the label of its create button. */
  empty: {
    title: string
    body: string
    create?: string
    /** Content below the button. */
    below?: ReactNode
  }
  /** Content between an error of the list and its controls. */
  above?: ReactNode
  /** Content at the end of the controls, for a list without a page header. */
  end?: ReactNode
}

/** A list with its controls, table and pages. */
export function ListContents<Row extends { id: string; name: string }>({
  label,
  icon: Icon,
  noun,
  create,
  list,
  bulk,
  actions,
  empty,
  above,
  end,
}: ListContentsProps<Row>) {
  const { rows, pagination, error, refetch, isFiltered, groupHead, table, controls } = list
  const star = useStarAction(list.kindOf)
  const history = useHistoryAction(list.kindOf)
  const who = useWhoCan(list.kindOf, list.views.project)
  return (
    <>
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
            end={end}
          />
          <Table
            label={label}
            {...table}
            rows={rows}
            groupHead={groupHead && ((index) => groupHead(index, noun))}
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
                    create &&
                    empty.create && (
                      <CreateButton {...create} label={empty.create} icon={undefined} />
                    )
                  }
                >
                  {empty.below}
                </EmptyState>
              )
            }
          />
        </>
      )}
      {bulk?.bar}
      <BottomBar>
        <Pagination {...pagination} />
      </BottomBar>
    </>
  )
}
