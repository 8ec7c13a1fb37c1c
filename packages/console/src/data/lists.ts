import type { Args, MethodName, Result } from '@steading/api/client'
import type { ListedKind } from '@steading/api/rules'
import {
  keepPreviousData,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import { usePageTokens } from './page-tokens.ts'
import { redirect } from '@tanstack/react-router'
import { useState, useLayoutEffect, useRef } from 'react'
import type { RowRange } from '../ui/list-controls/count-text.ts'
import type { PaginationProps } from '../ui/pagination.tsx'
import { ALL_ITEMS, call, optional, PAGE_SIZE, prefetch, queryClient } from './api.ts'
import { currentCapabilities, useCapability } from './capabilities.ts'
import { isBadRequest } from './errors.ts'
import type { joinedWith, Page } from './joined-list.ts'
import {
  type ListFilters,
  type ListSearch,
  isUnspecified,
  searchedSort,
  searchOf,
  TAGS_COLUMN,
  validateListSearch,
} from './list-search.ts'
import { samePage } from './addresses.ts'
import { defaultView } from './views.ts'

/** Lists that have a search, and searches without a plain list: they answer a page or an array. */
export type ListMethod = {
  [M in MethodName]: Result<M> extends Page<unknown> | unknown[]
    ? M extends `${infer Name}List`
      ? `${Name}Search` extends MethodName
        ? M
        : never
      : M
    : never
}[MethodName]

type Rows<Answer> = Answer extends { items: (infer Row)[] }
  ? Row
  : Answer extends (infer Row)[]
    ? Row
    : never

export type Item<M extends ListMethod> = Rows<Result<M>>

/** The list of a resource. */
export type ListDefinition<M extends ListMethod = ListMethod> = {
  /** The kind of its rows. */
  kind: ListedKind
  /** Key for the browser's storage. */
  id: string
  /** The plain list, whose search is named alike; or the search, if there is no plain list. */
  operation: M
  /** Further kinds in the same list; a control plane may lack them. */
  joined?: ReturnType<typeof joinedWith<M>>
  /** The filters with their possible words. */
  filters?: ListFilters
  /** Default sort; by name if omitted. */
  sort?: string
} & PlainSorts<M> &
  PlainPages<M>

/**
 * Sorts of the plain operation. The default is by name; an operation without this sort must
 * declare that, because control planes refuse unknown sorts.
 */
type PlainSorts<M extends ListMethod> =
  Args<M> extends { query?: infer Query }
    ? 'name_ascending' extends NonNullable<Query>['sortBy' & keyof NonNullable<Query>]
      ? { plainSorts?: readonly [] }
      : { plainSorts: readonly [] }
    : { plainSorts?: readonly [] }

/** A plain operation that answers an array has no pages, which its list must declare. */
type PlainPages<M extends ListMethod> =
  Result<M> extends unknown[] ? { unpaged: true } : { unpaged?: boolean }

/** The search operation of a list: `diskSearch` for `diskList`. */
export const searchName = ({ operation }: { operation: MethodName }): MethodName =>
  operation.replace(/List$/, 'Search') as MethodName

/** The lists of all kinds, own kind first. */
export const kindsOf = (list: ListDefinition) => [list, ...(list.joined?.kinds ?? [])]

/**
 * The kind of a row. Only rows of joined lists store it in `kind`; other rows may use this
 * property otherwise.
 */
const kindOfRow = ({ kind, joined }: ListDefinition, row: object): ListedKind =>
  (joined && (row as { kind?: ListedKind }).kind) ?? kind

/** Default sort of lists. */
export const USUAL_SORT = 'name_ascending'
/** The sorts of a list on control planes without searched lists. */
export const plainSortsOf = ({ plainSorts }: ListDefinition): readonly string[] =>
  plainSorts ?? ['name_ascending', 'name_descending']

/** The filters of a list, as the query parameters of the API. */
export const filtersOf = ({ filters = {} }: ListDefinition, search: ListSearch) =>
  Object.fromEntries(Object.keys(filters).map((name) => [name, search[name]]))

/** The query of a page of a list. */
export const queryOf = <M extends ListMethod>(
  list: ListDefinition<M>,
  parent: object,
  search: ListSearch,
  searchable: boolean | undefined,
  { pageToken, limit = PAGE_SIZE }: { pageToken?: string; limit?: number } = {},
) => {
  const sort = search.sort ?? list.sort ?? USUAL_SORT
  const sortBy = searchable
    ? searchedSort(sort)
    : plainSortsOf(list).find((known) => known === sort)
  const query = {
    ...parent,
    ...(searchable ? { search: search.q, groupBy: search.group, ...filtersOf(list, search) } : {}),
    with: searchable && search.columns?.split(',').includes(TAGS_COLUMN) ? 'tags' : undefined,
    sortBy,
    limit: list.unpaged && !searchable ? ALL_ITEMS : limit,
    pageToken,
  }
  // A joined kind without a plain list comes with the searched lists.
  const kinds = kindsOf(list).filter(
    (kind) => searchable || kind === list || kind.operation !== searchName(kind),
  )
  const operations = kinds.map((each) => (searchable ? searchName(each) : each.operation))
  return {
    queryKey: [list.joined ? operations : operations[0], { query }] as const,
    queryFn: () =>
      list.joined
        ? list.joined.readJoined(
            kinds.map(({ kind }, index) => ({
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
  // Otherwise the list would wait for its rows forever.
  if (!Array.isArray(page.items)) throw new TypeError(`${operation} has not answered a page`)
  const { tags } = page
  return tags
    ? {
        ...page,
        items: page.items.map((row) => ({ ...row, tags: tags[(row as { id: string }).id] })),
      }
    : page
}

/** The loader's information about a visit. */
type Visit = { cause: string; location: { search: unknown } }

/**
 * For the route's loader: reads the first page for the address's search parameters. An address
 * without any is replaced by the default view's. The page also works without its rows, and then
 * shows the error.
 * @returns the rows
 */
export async function prefetchList<M extends ListMethod>(
  list: ListDefinition<M>,
  parent: {
    project?: string
    vpc?: string
    router?: string
    silo?: string
    assignment?: 'silos'
  },
  { cause, location }: Visit,
): Promise<Item<M>[]> {
  const search = validateListSearch(list.filters)(location.search as Record<string, unknown>)
  const byDefault = cause === 'enter' && isUnspecified(search, list.filters)
  const { lists } = await currentCapabilities()
  const query = queryOf(list, parent, search, lists)
  // Most lists have no default view: read the rows while checking.
  const loaded = prefetch(optional(query))
  const view = byDefault && (await defaultView(list.kind, parent.project))
  if (view) throw redirect({ ...samePage(searchOf(view, list.filters)), replace: true })
  await loaded
  return queryClient.getQueryData<Page<Item<M>>>(query.queryKey)?.items ?? []
}

type Interval = number | false

/**
 * A list, page by page. Rows of the previous search stay until the next ones arrive; a new
 * search begins at its first page.
 */
export function useList<M extends ListMethod>(
  list: ListDefinition<M>,
  parent: object,
  search: ListSearch,
  { refetchInterval }: { refetchInterval?: Interval | ((rows: Item<M>[]) => Interval) } = {},
) {
  const searchable = useCapability('lists')
  const about = JSON.stringify(queryOf(list, parent, search, searchable).queryKey)
  const [tokens, setTokens] = usePageTokens(about)
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

  // Another version of the control plane does not know the token.
  if (tokens.length > 0 && isBadRequest(query.error)) setTokens([])
  // The last rows of a later page were deleted: go back to the previous page.
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
  const here: RowRange = {
    before: tokens.length * PAGE_SIZE,
    shown: rows?.length ?? 0,
    total: page?.total,
  }
  // While rows of the previous page are shown, keep their range.
  const [rowRange, setRowRange] = useState(here)
  if (!waiting && JSON.stringify(rowRange) !== JSON.stringify(here)) setRowRange(here)
  const hasMore = Boolean(nextPage) && (rows?.length ?? 0) >= PAGE_SIZE
  const pagination: PaginationProps = {
    pageSize: PAGE_SIZE,
    rowRange,
    hasPrev: tokens.length > 0,
    hasNext: !waiting && hasMore,
    hasPages: tokens.length > 0 || hasMore,
    loading: query.isPlaceholderData && !cache.getQueryData(shown.queryKey),
    onPrev: () => setTokens(tokens.slice(0, -1)),
    onNext: () => nextPage && setTokens([...tokens, nextPage]),
  }
  return {
    rows,
    /** The groups of the rows, in their order. */
    groups: page?.groups,
    pagination,
    /** The server searches, filters and sorts by any column. */
    searchable,
    isFiltered,
    /** The rows still belong to the previous search. */
    waiting,
    /** Number of rows; null if more than are counted, undefined if unknown. */
    total: page?.total,
    totalOfAll: isFiltered ? all?.total : page?.total,
    error: query.error,
    refetch: query.refetch,
    kindOf: (row: object) => kindOfRow(list, row),
    /** The kinds that have rows, as far as known. */
    kinds: page?.kinds ?? [list.kind],
    /** Kinds that the control plane lacks. */
    lacking: page?.lacking ?? [],
    /** Time at which the shown rows were read. */
    updatedAt: new Date(readAt),
  }
}

/**
 * The shown page of a list. If another page or search cannot be read, the last rows stay.
 * @param within the parent of the list; rows of another parent do not stay
 */
export function useHeldPage<Page>(query: UseQueryResult<Page>, within = '') {
  const { data, dataUpdatedAt, isPlaceholderData } = query
  const [held, setHeld] = useState<{ within: string; page: Page; readAt: number }>()
  // The reading time of a placeholder is unknown.
  if (data !== undefined && !isPlaceholderData && held?.readAt !== dataUpdatedAt) {
    setHeld({ within, page: data, readAt: dataUpdatedAt })
  }
  const last = held?.within === within ? held : undefined
  return {
    page: data ?? last?.page,
    readAt: last?.readAt ?? 0,
    /** The rows are not the requested ones. */
    waiting: isPlaceholderData || data === undefined,
  }
}

/** Scrolls the window and its table to the top once the rows of another page have arrived. */
function useScrollToTop(pageToken: string | undefined, waiting: boolean) {
  const shown = useRef(pageToken)
  // A layout effect: the new rows are never shown at the old scroll position.
  useLayoutEffect(() => {
    if (waiting || shown.current === pageToken) return
    shown.current = pageToken
    window.scrollTo(0, 0)
    // A table with too little room scrolls by itself.
    document.querySelector('.table-frame')?.scrollTo({ top: 0 })
  }, [pageToken, waiting])
}

/** The common kind of several items, or a function that tells the kind of each. */
export type KindOf<Kind extends string, Thing> = Kind | ((thing: Thing) => Kind)

export const kindOf = <Kind extends string, Thing>(kind: KindOf<Kind, Thing>, thing: Thing): Kind =>
  typeof kind === 'function' ? kind(thing) : kind
