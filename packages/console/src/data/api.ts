import { useState } from 'react'
import {
  type Args,
  keepEntityTag,
  type MethodName,
  type Result,
  wireRequest,
} from '@steading/api/client'
import {
  QueryClient,
  replaceEqualDeep,
  useMutation,
  useQuery,
  type UseMutationOptions,
  type UseQueryResult,
} from '@tanstack/react-query'
import { noteAnswer } from './answers.ts'
import { client, leaving } from './client.ts'
import { heard, missed, unreached } from './connection.ts'
import {
  ApiError,
  GoneError,
  goToLogin,
  isMissing,
  logApiError,
  noAnswer,
  refused,
  toApiError,
} from './errors.ts'
import { wait } from './pace.ts'
import { askToSignIn, canAskToSignIn } from './session-end.ts'

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
      // Parts that have not changed stay the same objects, and the whole keeps its entity tag.
      structuralSharing: (before, answer) =>
        keepEntityTag(answer, replaceEqualDeep(before, answer)),
    },
    mutations: { networkMode: 'always' },
  },
})

/** For a page that is being left: no error is to flash before it is gone. */
const never = new Promise<never>(() => {})

type CallOptions = {
  signal?: AbortSignal
  /** The entity tag of what is changed: refused if it is not that any more. */
  ifMatch?: string
  /** Statuses that are an answer rather than a failure here; logged quietly. */
  expected?: number[]
}

/** Calls an operation; throws an `ApiError` unless it succeeds. */
export async function call<M extends MethodName>(
  operation: M,
  args: Args<M>,
  { signal, ifMatch, expected = [] }: CallOptions = {},
): Promise<Result<M>> {
  const send = client[operation] as (
    args: Args<M>,
    options: { signal?: AbortSignal; ifMatch?: string },
  ) => ReturnType<(typeof client)[M]>
  const reads = wireRequest(operation, args).verb === 'GET'
  const lost = (cause?: unknown) => {
    void missed()
    const error = noAnswer(operation, reads, cause)
    logApiError(error, true)
    return error
  }
  const either = signal ? AbortSignal.any([signal, leaving]) : leaving
  const until = reads ? either : signal
  const result = await send(args, { signal: until, ifMatch }).catch((cause: unknown) => {
    if (reads && leaving.aborted) return never
    throw signal?.aborted ? cause : lost(cause)
  })
  if (result.type === 'client_error' && unreached.has(result.status)) throw lost(result.error)
  heard()
  if (result.type === 'success') {
    const requestId = result.headers.get('x-request-id') ?? undefined
    noteAnswer({ operation, requestId, data: result.data })
    return result.data as Result<M>
  }
  const error = toApiError(operation, result)
  logApiError(error, expected.includes(result.status))
  if (result.status !== 401 || operation === 'loginLocal') throw error
  if (await signInFor(reads)) return call(operation, args, { signal, ifMatch, expected })
  throw refused(operation)
}

/**
 * After the answer that there is no session: the user signs in again over the page. While the first
 * page still loads, there is nothing to keep, and it is left for the login page.
 * @returns whether to send the call again
 */
export function signInFor(reads: boolean): Promise<boolean> {
  const user = queryClient.getQueryData(['currentUserView', {}])
  if (user && canAskToSignIn()) return askToSignIn(!reads)
  goToLogin({ andBack: true })
  return never
}

type QueryExtras = {
  /** A 404 is an answer rather than a failure here; logged quietly. */
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
/** A read that the page cannot exist without. */
type Required<T> = Prefetchable<T> & { meta?: undefined }
/** A read that the page can exist without; it says what is missing, or leaves it out. */
type Optional<T> = Prefetchable<T> & { readonly meta: { readonly optional: true } }

/** For a loader: the page waits for this read, but also exists without it. */
export const optional = <Q extends Prefetchable<unknown>>(query: Q) =>
  ({ ...query, meta: { optional: true } }) as const

/**
 * For route loaders: `loader: () => prefetch(a, optional(b))`. Waits only for what is not cached;
 * what is cached but stale is refetched behind the page.
 * @throws ApiError if a required read fails
 */
export async function prefetch(
  ...queries: (Required<unknown> | Optional<unknown>)[]
): Promise<void> {
  await Promise.all(
    queries.map(async (query) => {
      const loaded = queryClient.ensureQueryData({ ...query, revalidateIfStale: true })
      await (query.meta?.optional ? loaded.catch(() => {}) : loaded)
    }),
  )
}

/** How long a page that can exist without any of its reads waits for them. Milliseconds. */
const PATIENCE = 400

/**
 * For a page that can exist without any of these reads: it waits for them a moment, so that they
 * usually are there when it opens, and shows by itself which of them load or have failed.
 */
export const prefetchForAMoment = (...queries: Prefetchable<unknown>[]): Promise<void> =>
  Promise.race([prefetch(...queries.map(optional)), wait(PATIENCE)])

/** Starts loading without making the page wait: for what is shown behind skeletons. */
export function prefetchInBackground(...queries: Prefetchable<unknown>[]): void {
  for (const query of queries) void queryClient.prefetchQuery(query)
}

/**
 * Data that the route's loader has loaded and that the page cannot exist without. It is a mistake
 * if the loader did not load it.
 */
export function usePrefetchedQuery<T>(query: Required<T>): UseQueryResult<T> & { data: T } {
  const result = useQuery(query)
  const { data, error, isFetching } = result
  if (data === undefined) {
    if (error) throw error
    console.error('Expected query to be prefetched.', query.queryKey)
    throw new Error('Expected query to be prefetched.')
  }
  // While it is read again, it may be there again.
  if (isMissing(error) && !isFetching) throw new GoneError(error, data)
  return result as UseQueryResult<T> & { data: T }
}

/** The same as the page found it when it opened, for a page whose own work changes or deletes it. */
export function usePrefetchedOnce<T>({ queryKey }: Required<T>): T {
  const [data] = useState(() => queryClient.getQueryData<T>(queryKey))
  if (data === undefined) throw new Error('Expected query to be prefetched.')
  return data
}

export type MutationOptions<M extends MethodName> = Pick<
  UseMutationOptions<Result<M>, ApiError, Args<M>>,
  'onSuccess' | 'onError' | 'onSettled'
> &
  CallOptions

export function useApiMutation<M extends MethodName>(
  operation: M,
  { signal, expected, ifMatch, ...options }: MutationOptions<M> = {},
) {
  return useMutation<Result<M>, ApiError, Args<M>>({
    mutationKey: [operation],
    mutationFn: (args) => call(operation, args, { signal, expected, ifMatch }),
    ...options,
  })
}

/** The plain list operation of a searched one: both stand for the same list. */
const plainName = (operation: unknown): string => String(operation).replace(/Search$/, 'List')

/** The operations that an answer in the cache comes from, with lists in the place of searches. */
export const operationsOf = ([operation]: readonly unknown[]): string[] =>
  [operation].flat().map(plainName)

/** Marks all answers of these operations as out of date, and refetches those on the screen. */
export function invalidate(...operations: MethodName[]): Promise<void> {
  const names = new Set<string>(operations)
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => operationsOf(queryKey).some((name) => names.has(name)),
  })
}

/** Reads these again also while they are not on the screen, so that going back shows fresh data. */
export function refresh(...operations: MethodName[]): Promise<void> {
  const names = new Set<string>(operations)
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => operationsOf(queryKey).some((name) => names.has(name)),
    refetchType: 'all',
  })
}

/** Puts a known answer into the cache, e.g. a row before its edit panel opens. */
export function seed<M extends MethodName>(operation: M, args: Args<M>, data: Result<M>): void {
  queryClient.setQueryData([operation, args], data)
}
