import type { SavedView } from '@steading/api/client'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { contentOf, type ListSearch, searchOf } from '../data/list-search.ts'
import { useListCounts } from '../data/list-counts.ts'
import {
  type Item,
  type ListDefinition,
  type ListMethod,
  useList,
  plainSortsOf,
  USUAL_SORT,
} from '../data/lists.ts'
import { useCapability } from '../data/capabilities.ts'
import { NO_VIEW } from '../data/views.ts'
import type { Column, Sorting } from '../ui/column.ts'
import { orderWith } from '../ui/column-order.ts'
import { fittingColumns } from '../ui/mark-overflow.ts'
import { samePage } from '../data/addresses.ts'
import { tagsColumn } from './columns.tsx'
import { useGrouping } from './grouping.tsx'

export type ListPageOptions<M extends ListMethod> = Parameters<typeof useList<M>>[3] & {
  /** Names for the filters declared with `'names'`. */
  names?: Readonly<Record<string, readonly string[]>>
}

const idsOf = (columns: readonly { id: string }[]) => columns.map(({ id }) => id)
const memoryOf = (list: ListDefinition) => `list-columns-${list.id}`

/**
 * A list with its controls: search parameters of the address, rows, and the props of
 * `ListControls` and `Table`. The chosen columns and
 * their order are stored, and are part of the address.
 */
export function useListPage<M extends ListMethod>(
  list: ListDefinition<M>,
  parent: object,
  own: Column<Item<M>>[],
  { names, ...options }: ListPageOptions<M> = {},
) {
  const search = useSearch({ strict: false }) as ListSearch
  const { rows, groups, pagination, error, refetch, updatedAt, kinds, kindOf, lacking, ...state } =
    useList(list, parent, search, options)
  const grouping = useGrouping(list, parent, search, groups)
  const counts = useListCounts(list, parent, search)
  const navigate = useNavigate()
  const change = (changes: ListSearch) =>
    void navigate({ ...samePage({ ...search, ...changes }), replace: true })

  const tagged = useCapability('tags')
  const columns = useMemo(
    () => (tagged ? [...own, tagsColumn as unknown as Column<Item<M>>] : own),
    [own, tagged],
  )

  const isView = Boolean(search.view && search.view !== NO_VIEW)

  const usual = useMemo(() => {
    const own = columns.filter(({ optional }, index) => index === 0 || !optional)
    return idsOf(fittingColumns(own)).join(',')
  }, [columns])
  const shown = useMemo(() => {
    const lead = columns[0]!
    const chosen = (search.columns ?? usual).split(',')
    return [...new Set([lead.id, ...chosen])].flatMap(
      (id) => columns.find((column) => column.id === id) ?? [],
    )
  }, [columns, search.columns, usual])
  const order = idsOf(shown).slice(1)
  const all = idsOf(columns)

  const setOrder = (ids: readonly string[]) => {
    const next = [all[0], ...ids].join(',')
    const differs = next !== usual
    // The columns of a view belong to the view.
    if (!isView && differs) localStorage.setItem(memoryOf(list), next)
    else if (!isView) localStorage.removeItem(memoryOf(list))
    change({ columns: differs ? next : undefined })
  }
  const remember = useEffectEvent(() => {
    const remembered = localStorage.getItem(memoryOf(list))
    if (remembered && !search.columns && !isView) change({ columns: remembered })
  })
  useEffect(() => remember(), [])

  const usualSort = list.sort ?? USUAL_SORT
  const [, by, direction] = /^(.*)_(ascending|descending)$/.exec(search.sort ?? usualSort)!
  const sorting: Sorting = {
    by: by!,
    descending: direction === 'descending',
    canSort: (column) => state.searchable || plainSortsOf(list).includes(`${column}_ascending`),
    onSort(column, descending) {
      const sort = `${column}_${descending ? 'descending' : 'ascending'}`
      change({ sort: sort === usualSort ? undefined : sort })
    },
  }
  const filters = Object.entries(list.filters ?? {})
    .map(([name, words]) => {
      const selected = search[name]?.split(',') ?? []
      const common = { name, selected, counted: counts.supported, counts: counts.of(name) }
      return words === 'names'
        ? { ...common, words: [...new Set([...(names?.[name] ?? []), ...selected])], names: true }
        : { ...common, words }
    })
    .filter(({ words, selected }) => words.length > 1 || selected.length > 0)
  return {
    kind: list.kind,
    kinds,
    kindOf,
    lacking,
    views: {
      project: (parent as { project?: string }).project,
      source: { list, parent, search },
      chosen: search.view,
      content: contentOf(search, list.filters),
      onChoose: (view?: SavedView) => void navigate(samePage(searchOf(view, list.filters))),
      onLeave: () => change({ view: NO_VIEW }),
    },
    rows,
    pagination,
    error,
    refetch,
    updatedAt,
    /** Also true for rows of the previous search, whose absence says nothing about the list. */
    isFiltered: state.isFiltered || state.waiting,
    groupHead: grouping.head,
    table: { columns: shown, sorting, waiting: state.waiting, onOrder: setOrder },
    /** Search and filters as query parameters of the API. */
    matching: Object.fromEntries(
      [['search', search.q], ...filters.map(({ name }) => [name, search[name]])].filter(
        ([, value]) => value,
      ),
    ) as Record<string, string>,
    controls: {
      ...state,
      isEmpty: rows?.length === 0 && !state.isFiltered && !state.waiting,
      search: search.q ?? '',
      grouping: grouping.supported && {
        readKeys: grouping.readKeys,
        selected: search.group,
        onChange: (group?: string) => change({ group }),
      },
      onSearch: (q: string) => change({ q: q || undefined }),
      filters,
      onFilter: (name: string, words: string[]) => change({ [name]: words.join(',') || undefined }),
      onFiltersShown: counts.watch,
      onClear: () =>
        change({
          q: undefined,
          ...Object.fromEntries(filters.map(({ name }) => [name, undefined])),
        }),
      columns: orderWith(order, all.slice(1), new Set(all)).map((id) => ({
        id,
        label: columns.find((column) => column.id === id)!.header,
        shown: order.includes(id),
      })),
      onColumns: (ids: ReadonlySet<string>) => setOrder(orderWith(order, all.slice(1), ids)),
      onOrder: setOrder,
    },
  }
}
