import type { Args, MethodName, Result } from '@steading/api/client'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { PaginationProps } from '../ui/pagination.tsx'
import { apiQuery, PAGE_SIZE } from './api.ts'

/** Operations that answer a page of items. */
export type ListMethod = {
  [M in MethodName]: Result<M> extends { items: unknown[]; nextPage?: string | null } ? M : never
}[MethodName]

export type Item<M extends ListMethod> = Result<M>['items'][number]

type Interval = number | false

type Page<M extends ListMethod> = { items: Item<M>[]; nextPage?: string | null }

const withPage = <M extends ListMethod>(args: Args<M>, pageToken: string | undefined) =>
  ({
    ...args,
    query: { ...(args as { query?: object }).query, limit: PAGE_SIZE, pageToken },
  }) as Args<M>

/** The first page of a list, for the route's loader. */
export const firstPage = <M extends ListMethod>(operation: M, args: Args<M>) =>
  apiQuery(operation, withPage(args, undefined))

/**
 * A list page by page. Tokens of visited pages are stacked for going back; the shown page stays
 * while the next one loads.
 */
export function usePaginatedQuery<M extends ListMethod>(
  operation: M,
  args: Args<M>,
  { refetchInterval }: { refetchInterval?: Interval | ((rows: Item<M>[]) => Interval) } = {},
) {
  const [tokens, setTokens] = useState<string[]>([])
  const pageToken = tokens.at(-1)
  const query = useQuery({
    ...apiQuery(operation, withPage(args, pageToken)),
    refetchInterval:
      typeof refetchInterval === 'function'
        ? ({ state }) => refetchInterval((state.data as Page<M> | undefined)?.items ?? [])
        : refetchInterval,
    placeholderData: keepPreviousData,
  })
  if (query.error && query.data === undefined) throw query.error
  const page = query.data as Page<M> | undefined
  const waiting = query.isPlaceholderData
  useScrollToTop(pageToken, waiting)

  // The last rows of a later page were deleted: what is left is before it.
  if (!waiting && tokens.length > 0 && page?.items.length === 0) setTokens(tokens.slice(0, -1))

  const cache = useQueryClient()
  const rows = page?.items
  const nextPage = page?.nextPage
  const pagination: PaginationProps = {
    pageSize: PAGE_SIZE,
    hasPrev: tokens.length > 0,
    hasNext: !waiting && Boolean(nextPage) && (rows?.length ?? 0) >= PAGE_SIZE,
    loading:
      waiting && !cache.getQueryData(apiQuery(operation, withPage(args, pageToken)).queryKey),
    onPrev: () => setTokens(tokens.slice(0, -1)),
    onNext: () => nextPage && setTokens([...tokens, nextPage]),
  }
  return {
    rows,
    pagination,
    error: query.error,
    refetch: query.refetch,
    /** When the shown rows were read. */
    updatedAt: new Date(query.dataUpdatedAt),
  }
}

/** Once the rows of another page are in, the window goes to its top. */
export function useScrollToTop(pageToken: string | undefined, waiting: boolean) {
  const shown = useRef(pageToken)
  useEffect(() => {
    if (waiting || shown.current === pageToken) return
    shown.current = pageToken
    window.scrollTo(0, 0)
  }, [pageToken, waiting])
}
