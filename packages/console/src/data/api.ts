import type { Args, MethodName, Result } from '@steading/api/client'
import {
  QueryClient,
  useMutation,
  useQuery,
  type UseMutationOptions,
  type UseQueryResult,
} from '@tanstack/react-query'
import { client } from './client.ts'
import { ApiError, goToLogin, logApiError, toApiError } from './errors.ts'

export const PAGE_SIZE = 50
/** Stands for "approximately everything". */
export const ALL_ITEMS = 1000

/** Milliseconds for which an answer is fresh: a page that mounts twice reads once. */
const FRESH_FOR = 2000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_FOR,
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
      networkMode: 'always',
      // A resource that is gone ends on the "Page not found" page.
      throwOnError: (error) => error instanceof ApiError && error.statusCode === 404,
    },
    mutations: { networkMode: 'always' },
  },
})

type CallOptions = {
  signal?: AbortSignal
  /** Statuses that are an answer rather than a failure here; logged quietly. */
  expected?: number[]
}

/** Calls an operation; throws an `ApiError` unless it succeeds. */
export async function call<M extends MethodName>(
  operation: M,
  args: Args<M>,
  { signal, expected = [] }: CallOptions = {},
): Promise<Result<M>> {
  const send = client[operation] as (
    args: Args<M>,
    options: { signal?: AbortSignal },
  ) => ReturnType<(typeof client)[M]>
  const result = await send(args, { signal })
  if (result.type === 'success') return result.data as Result<M>
  const error = toApiError(operation, result)
  logApiError(error, expected.includes(result.status))
  if (result.status === 401 && operation !== 'loginLocal') {
    goToLogin({ andBack: true })
    // The page is being left: never settle, so that nothing flashes an error before it is gone.
    return new Promise(() => {})
  }
  throw error
}

type QueryExtras = {
  /** A 404 is data to the caller, not a missing page. */
  allow404?: boolean
  staleTime?: number
  refetchInterval?: number | false
  enabled?: boolean
}

/**
 * Query options of an operation. Key = [operation, arguments], so that a change to a resource can
 * invalidate by operation name, for all arguments.
 */
export function apiQuery<M extends MethodName>(
  operation: M,
  args: Args<M>,
  { allow404, ...extras }: QueryExtras = {},
) {
  return {
    queryKey: [operation, args] as const,
    queryFn: () => call(operation, args, allow404 ? { expected: [404] } : {}),
    ...(allow404 ? { throwOnError: false } : {}),
    ...extras,
  }
}

export type Outcome<T> = { type: 'success'; data: T } | { type: 'error'; error: ApiError }

/** A read whose failure is data, for pages that degrade. Cached apart from the plain read. */
export function apiQueryErrorsAllowed<M extends MethodName>(
  operation: M,
  args: Args<M>,
  { expected = [403], staleTime }: { expected?: number[]; staleTime?: number } = {},
) {
  return {
    queryKey: [operation, args, 'errors allowed'] as const,
    queryFn: async (): Promise<Outcome<Result<M>>> => {
      try {
        return { type: 'success', data: await call(operation, args, { expected }) }
      } catch (error) {
        if (error instanceof ApiError) return { type: 'error', error }
        throw error
      }
    },
    ...(staleTime === undefined ? {} : { staleTime }),
  }
}

type Prefetchable<T> = { queryKey: readonly unknown[]; queryFn: () => Promise<T> }

/**
 * For route loaders: `loader: () => prefetch(a, b)`. Waits only for what is not cached; what is
 * cached but stale is refetched behind the page.
 */
export async function prefetch(...queries: Prefetchable<unknown>[]): Promise<void> {
  await Promise.all(
    queries.map((query) => queryClient.ensureQueryData({ ...query, revalidateIfStale: true })),
  )
}

/** Starts loading without making the page wait: for what is shown behind skeletons. */
export function prefetchInBackground(...queries: Prefetchable<unknown>[]): void {
  for (const query of queries) void queryClient.prefetchQuery(query)
}

/** Data that the route's loader has loaded. It is a mistake if the loader did not. */
export function usePrefetchedQuery<T>(query: Prefetchable<T>): UseQueryResult<T> & { data: T } {
  const result = useQuery(query)
  if (result.data === undefined) {
    if (result.error) throw result.error
    console.error('Expected query to be prefetched.', query.queryKey)
    throw new Error('Expected query to be prefetched.')
  }
  return result as UseQueryResult<T> & { data: T }
}

export type MutationOptions<M extends MethodName> = Pick<
  UseMutationOptions<Result<M>, ApiError, Args<M>>,
  'onSuccess' | 'onError' | 'onSettled'
> &
  CallOptions

export function useApiMutation<M extends MethodName>(
  operation: M,
  { signal, expected, ...options }: MutationOptions<M> = {},
) {
  return useMutation<Result<M>, ApiError, Args<M>>({
    mutationFn: (args) => call(operation, args, { signal, expected }),
    ...options,
  })
}

/** The plain list operation of a searched one: both stand for the same list. */
export const plainName = (operation: unknown): string =>
  String(operation).replace(/Search$/, 'List')

/** Marks all answers of these operations as out of date, and refetches those on the screen. */
export function invalidate(...operations: MethodName[]): Promise<void> {
  const names = new Set<string>(operations)
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => names.has(plainName(queryKey[0])),
  })
}

/** Reads these again also while they are not on the screen, so that going back shows fresh data. */
export function refresh(...operations: MethodName[]): Promise<void> {
  const names = new Set<string>(operations)
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => names.has(plainName(queryKey[0])),
    refetchType: 'all',
  })
}

/** Puts a known answer into the cache, e.g. a row before its edit panel opens. */
export function seed<M extends MethodName>(operation: M, args: Args<M>, data: Result<M>): void {
  queryClient.setQueryData([operation, args], data)
}
