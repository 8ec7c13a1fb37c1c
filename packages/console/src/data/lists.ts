import type { Args, MethodName, Result } from '@steading/api/client'
import type { ListedKind } from '@steading/api/rules'
import {
  keepPreviousData,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { useState, useLayoutEffect, useRef } from 'react'
import type { Place } from '../ui/list-controls/count-text.ts'
import type { PaginationProps } from '../ui/pagination.tsx'
import { ALL_ITEMS, call, optional, PAGE_SIZE, prefetch, queryClient } from './api.ts'
import { currentCapabilities, useCapability } from './capabilities.ts'
import type { joinedWith, Page } from './joined-list.ts'
import {
  type ListFilter,
  type ListFilters,
  type ListSearch,
  saysNothing,
  searchedSort,
  searchOf,
  validateListSearch,
} from './list-search.ts'
import { samePage } from './same-page.ts'
import { defaultView } from './views.ts'

/** Operations that answer a page of items, or a plain array of them. */
export type ListMethod = {
  [M in MethodName]: Result<M> extends Page<unknown> | unknown[] ? M : never
}[MethodName]

type Rows<Answer> = Answer extends { items: (infer Row)[] }
  ? Row
  : Answer extends (infer Row)[]
    ? Row
    : never

export type Item<M extends ListMethod> = Rows<Result<M>>

/** The list of a resource: its plain operation, and the one that searches. */
export type ListDefinition<M extends ListMethod = ListMethod> = {
  /** The kind of the things in it. */
  kind: ListedKind
  /** Key of what the browser stores about the list. */
  id: string
  operation: M
  searched: MethodName
  /** Further kinds whose things are in it; a control plane may lack them. */
  joined?: ReturnType<typeof joinedWith<M>>
  /** The filters, with their possible words. */
  filters?: ListFilters
  /** What it is sorted by unless its address says otherwise; by name without it. */
  sort?: string
} & PlainSorts<M> &
  PlainPages<M>

/**
 * Sorts of the plain operation. They are by name; an operation that has no such sort must say so,
 * because a control plane refuses sorts that it does not have.
 */
type PlainSorts<M extends ListMethod> =
  Args<M> extends { query?: infer Query }
    ? 'name_ascending' extends NonNullable<Query>['sortBy' & keyof NonNullable<Query>]
      ? { plainSorts?: readonly [] }
      : { plainSorts: readonly [] }
    : { plainSorts?: readonly [] }

/** A plain operation that answers an array has no pages, which its list must say. */
type PlainPages<M extends ListMethod> =
  Result<M> extends unknown[] ? { unpaged: true } : { unpaged?: boolean }

/** The lists of all kinds in it: its own first. */
export const kindsOf = (list: ListDefinition) => [list, ...(list.joined?.kinds ?? [])]

/**
 * The kind of a row. Only rows of joined lists name it in `kind`; other rows may use that property
 * with another meaning.
 */
const kindOfRow = ({ kind, joined }: ListDefinition, row: object): ListedKind =>
  (joined && (row as { kind?: ListedKind }).kind) ?? kind

/** What a list is sorted by unless its address says otherwise. */
export const USUAL_SORT = 'name_ascending'
/** The sorts of a list on control planes without searched lists. */
export const plainSortsOf = ({ plainSorts }: ListDefinition): readonly string[] =>
  plainSorts ?? ['name_ascending', 'name_descending']

/** The filters of a list, as the query parameters of the API. */
export const filtersOf = ({ filters = {} }: ListDefinition, search: ListSearch) =>
  Object.fromEntries((Object.keys(filters) as ListFilter[]).map((name) => [name, search[name]]))

const queryOf = <M extends ListMethod>(
  list: ListDefinition<M>,
  parent: object,
  search: ListSearch,
  searchable: boolean,
  { pageToken, limit = PAGE_SIZE }: { pageToken?: string; limit?: number } = {},
) => {
  const sort = search.sort ?? list.sort ?? USUAL_SORT
  const sortBy = searchable
    ? searchedSort(sort)
    : plainSortsOf(list).find((known) => known === sort)
  const query = {
    ...parent,
    ...(searchable ? { search: search.q, ...filtersOf(list, search) } : {}),
    sortBy,
    limit: list.unpaged && !searchable ? ALL_ITEMS : limit,
    pageToken,
  }
  const operations = kindsOf(list).map((each) => (searchable ? each.searched : each.operation))
  return {
    queryKey: [list.joined ? operations : operations[0], { query }] as const,
    queryFn: () =>
      list.joined
        ? list.joined.readJoined(
            kindsOf(list).map(({ kind }, index) => ({
              kind,
              read: (token?: string, expected?: number[]) =>
                readPage<M>(operations[index]!, { ...query, pageToken: token }, expected),
            })),
            query,
          )
        : readPage<M>(operations[0]!, query),
  }
}

async function readPage<M extends ListMethod>(
  operation: MethodName,
  query: object,
  expected: number[] = [],
): Promise<Page<Item<M>>> {
  const answer = (await call(operation, { query } as never, { expected })) as
    | Page<Item<M>>
    | Item<M>[]
  const page: Page<Item<M>> = Array.isArray(answer) ? { items: answer } : answer
  // A list would wait for its rows for ever.
  if (!Array.isArray(page.items)) throw new TypeError(`${operation} has not answered a page`)
  return page
}

/** What a loader is told about the visit that it loads for. */
type Visit = { cause: string; location: { search: unknown } }

/**
 * For the route's loader: the first page, by the address's search parameters. An address without any
 * is replaced by that of the default view. The page of a list also exists without its rows, and says
 * so.
 * @returns its rows
 */
export async function prefetchList<M extends ListMethod>(
  list: ListDefinition<M>,
  parent: { project?: string; vpc?: string; router?: string; assignment?: 'silos' },
  { cause, location }: Visit,
): Promise<Item<M>[]> {
  const search = validateListSearch(list.filters)(location.search as Record<string, unknown>)
  const byDefault = cause === 'enter' && saysNothing(search)
  const { lists } = await currentCapabilities()
  const query = queryOf(list, parent, search, lists)
  // Most lists have no default view: the rows are read while that is found out.
  const loaded = prefetch(optional(query))
  const view = byDefault && (await defaultView(list.kind, parent.project))
  if (view) throw redirect({ ...samePage(searchOf(view)), replace: true })
  await loaded
  return queryClient.getQueryData<Page<Item<M>>>(query.queryKey)?.items ?? []
}

type Interval = number | false

/**
 * A list, page by page. The rows of the previous search stay until those of the next one have
 * arrived; another search begins at its first page.
 */
export function useList<M extends ListMethod>(
  list: ListDefinition<M>,
  parent: object,
  search: ListSearch,
  { refetchInterval }: { refetchInterval?: Interval | ((rows: Item<M>[]) => Interval) } = {},
) {
  const searchable = useCapability('lists')
  const about = JSON.stringify(queryOf(list, parent, search, searchable).queryKey)
  const [visited, setVisited] = useState({ about, tokens: [] as string[] })
  const tokens = visited.about === about ? visited.tokens : []
  const setTokens = (next: string[]) => setVisited({ about, tokens: next })
  const pageToken = tokens.at(-1)
  const shown = queryOf(list, parent, search, searchable, { pageToken })
  const query = useQuery({
    ...shown,
    refetchInterval:
      typeof refetchInterval === 'function'
        ? ({ state }) => refetchInterval((state.data as Page<Item<M>> | undefined)?.items ?? [])
        : refetchInterval,
    placeholderData: keepPreviousData,
  })
  const { page, readAt, waiting } = useHeldPage(query, JSON.stringify(parent))
  useScrollToTop(pageToken, waiting)

  // The last rows of a later page were deleted: go back to the page before.
  if (!waiting && tokens.length > 0 && page?.items.length === 0) setTokens(tokens.slice(0, -1))

  const isFiltered =
    searchable && Boolean(search.q || Object.values(filtersOf(list, search)).some(Boolean))
  const all = useQuery({
    ...queryOf(list, parent, {}, searchable, { limit: 1 }),
    enabled: isFiltered,
  }).data

  const cache = useQueryClient()
  const rows = page?.items
  const nextPage = page?.nextPage
  const here: Place = {
    before: tokens.length * PAGE_SIZE,
    shown: rows?.length ?? 0,
    total: page?.total,
  }
  // While the rows of another page are shown, it is the place of those.
  const [place, setPlace] = useState(here)
  if (!waiting && JSON.stringify(place) !== JSON.stringify(here)) setPlace(here)
  const hasMore = Boolean(nextPage) && (rows?.length ?? 0) >= PAGE_SIZE
  const pagination: PaginationProps = {
    pageSize: PAGE_SIZE,
    place,
    hasPrev: tokens.length > 0,
    hasNext: !waiting && hasMore,
    hasPages: tokens.length > 0 || hasMore,
    loading: query.isPlaceholderData && !cache.getQueryData(shown.queryKey),
    onPrev: () => setTokens(tokens.slice(0, -1)),
    onNext: () => nextPage && setTokens([...tokens, nextPage]),
  }
  return {
    rows,
    pagination,
    /** Whether the server searches, filters and sorts by any column. */
    searchable,
    isFiltered,
    /** Whether the shown rows are those of the search before. */
    waiting,
    /** How many rows there are; null if more than are counted, undefined if not known. */
    total: page?.total,
    totalOfAll: isFiltered ? all?.total : page?.total,
    error: query.error,
    refetch: query.refetch,
    kindOf: (row: object) => kindOfRow(list, row),
    /** The kinds of which there are any in it, as far as that is known. */
    kinds: page?.kinds ?? [list.kind],
    /** Kinds that the control plane does not have. */
    lacking: page?.lacking ?? [],
    /** When the shown rows were read. */
    updatedAt: new Date(readAt),
  }
}

/**
 * The page of a list that is shown. If another page or another search cannot be read, the rows that
 * were shown last stay.
 * @param within what the list is in; rows of another parent do not stay
 */
export function useHeldPage<Page>(query: UseQueryResult<Page>, within = '') {
  const { data, dataUpdatedAt, isPlaceholderData } = query
  const [held, setHeld] = useState<{ within: string; page: Page; readAt: number }>()
  // Of a placeholder it is not known when it was read.
  if (data !== undefined && !isPlaceholderData && held?.readAt !== dataUpdatedAt) {
    setHeld({ within, page: data, readAt: dataUpdatedAt })
  }
  const last = held?.within === within ? held : undefined
  return {
    page: data ?? last?.page,
    readAt: last?.readAt ?? 0,
    /** Whether the rows are not those that were asked for. */
    waiting: isPlaceholderData || data === undefined,
  }
}

/** Once the rows of another page are in, the window and its table go to their tops. */
function useScrollToTop(pageToken: string | undefined, waiting: boolean) {
  const shown = useRef(pageToken)
  // With the layout: they are never seen where the page before was left.
  useLayoutEffect(() => {
    if (waiting || shown.current === pageToken) return
    shown.current = pageToken
    window.scrollTo(0, 0)
    // A table in less room than it needs scrolls by itself.
    document.querySelector('.table-frame')?.scrollTo({ top: 0 })
  }, [pageToken, waiting])
}

/** The kind of all things that something is done with, or how to tell the kind of each. */
export type KindOf<Kind extends string, Thing> = Kind | ((thing: Thing) => Kind)

export const kindOf = <Kind extends string, Thing>(kind: KindOf<Kind, Thing>, thing: Thing): Kind =>
  typeof kind === 'function' ? kind(thing) : kind
