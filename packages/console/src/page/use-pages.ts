import { keepPreviousData, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { PAGE_SIZE } from '../data/api.ts'
import { isBadRequest } from '../data/errors.ts'
import { useHeldPage } from '../data/lists.ts'
import { usePageTokens } from '../data/page-tokens.ts'
import type { PaginationProps } from '../ui/pagination.tsx'

type Page<Row> = { items: Row[]; nextPage?: string | null }
type Query<Row> = Pick<
  UseQueryOptions<Page<Row>>,
  'queryKey' | 'queryFn' | 'refetchInterval' | 'staleTime'
>

/** A list page by page; the current page stays while the next one loads. */
export function usePages<Row>(queryOf: (pageToken: string | undefined) => Query<Row>) {
  const [tokens, setTokens] = usePageTokens(JSON.stringify(queryOf(undefined).queryKey))
  const query = useQuery({ ...queryOf(tokens.at(-1)), placeholderData: keepPreviousData })
  const { error, refetch, isPlaceholderData, isFetching } = query
  const { page, waiting } = useHeldPage(query)
  // Another version of the control plane does not know the token.
  if (tokens.length > 0 && isBadRequest(error)) setTokens([])
  // The last rows of a later page were deleted: go back to the previous page.
  if (!waiting && tokens.length > 0 && page?.items.length === 0) {
    setTokens(tokens.slice(0, -1))
  }
  const nextPage = page?.nextPage
  const hasMore = Boolean(nextPage) && (page?.items.length ?? 0) >= PAGE_SIZE
  const pagination: PaginationProps = {
    pageSize: PAGE_SIZE,
    hasPrev: tokens.length > 0,
    hasNext: !waiting && hasMore,
    hasPages: tokens.length > 0 || hasMore,
    loading: isPlaceholderData && isFetching,
    onPrev: () => setTokens(tokens.slice(0, -1)),
    onNext: () => nextPage && setTokens([...tokens, nextPage]),
  }
  return { rows: page?.items, pagination, error, refetch }
}
