import { useState } from 'react'
import { type Args, type MethodName, type Result, isRead } from '@steading/api/client'
import {
  useMutation,
  useQuery,
  type UseMutationOptions,
  type UseQueryResult,
} from '@tanstack/react-query'
import { noteAnswer } from './answers.ts'
import { client, leaving } from './client.ts'
import { noteContact, checkConnection, unreachableStatuses } from './connection.ts'
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
import { operationsOf, queryClient } from './query-client.ts'
import { wait } from './throttle.ts'
import { askToSignIn, canAskToSignIn } from './session-end.ts'

export { operationsOf, queryClient }

export const PAGE_SIZE = 50
/** Limit for requests of practically all items. */
export const ALL_ITEMS = 1000

/**
 * Sends a read again, and returns its answer. A read that is on its way is dropped, because its
 * answer may be older than the latest change.
 */
export async function readFresh<T>(read: {
  queryKey: readonly unknown[]
  queryFn: () => Promise<T>
}): Promise<T> {
  await queryClient.cancelQueries({ queryKey: read.queryKey, exact: true })
  return queryClient.fetchQuery({ ...read, staleTime: 0 })
}

/** Never settles: a page that is being left should not flash an error. */
const never = new Promise<never>(() => {})

type CallOptions = {
  signal?: AbortSignal
  /** Entity tag of the item to change; the call is refused if it has changed since. */
  ifMatch?: string
  /** Statuses that count as answers here rather than failures; logged quietly. */
  expected?: number[]
}

/** Reasons that open forms have for their changes, by operation; a sent one is removed. */
export const changeReasons = new Map<string, string>()

/**
 * Calls an operation. Once it succeeds, what it changes is stale (`stale.ts`), and visible answers
 * are being read again.
 * @throws ApiError unless it succeeds
 */
export async function call<M extends MethodName>(
  operation: M,
  args: Args<M>,
  { signal, ifMatch, expected = [] }: CallOptions = {},
): Promise<Result<M>> {
  const send = client[operation] as (
    args: Args<M>,
    options: { signal?: AbortSignal; ifMatch?: string; reason?: string },
  ) => ReturnType<(typeof client)[M]>
  const reads = isRead(operation)
  const lost = (cause?: unknown) => {
    void checkConnection()
    const error = noAnswer(operation, reads, cause)
    logApiError(error, true)
    return error
  }
  const either = signal ? AbortSignal.any([signal, leaving]) : leaving
  const until = reads ? either : signal
  const reason = changeReasons.get(operation)
  const stale = reads ? undefined : import('./stale.ts').catch(() => undefined)
  const result = await send(args, { signal: until, ifMatch, reason }).catch((cause: unknown) => {
    if (reads && leaving.aborted) return never
    throw signal?.aborted ? cause : lost(cause)
  })
  if (result.type === 'client_error' && unreachableStatuses.has(result.status))
    throw lost(result.error)
  noteContact()
  if (result.type === 'success') {
    changeReasons.delete(operation)
    if (!reads) {
      const known = await stale
      if (known) known.noteChange(operation, args, result.data)
      else void queryClient.invalidateQueries()
    }
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
 * Handles a 401: the user signs in again over the page. A first page that is still loading is
 * abandoned for the login page.
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

/** A read whose errors are data, for pages that degrade. Cached separately from the plain read. */
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
/** A read without which the page fails. */
type Required<T> = Prefetchable<T> & { meta?: undefined }
/** A read without which the page works, with a hint or a gap in its place. */
type Optional<T> = Prefetchable<T> & { readonly meta: { readonly optional: true } }

/** For loaders: the page waits for this read, but also works without it. */
export const optional = <Q extends Prefetchable<unknown>>(query: Q) =>
  ({ ...query, meta: { optional: true } }) as const

/**
 * For route loaders: `loader: () => prefetch(a, optional(b))`. Waits only for uncached reads;
 * stale ones are refetched in the background.
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

/** Maximum wait of a page whose reads are all optional, in milliseconds. */
const PATIENCE = 400

/**
 * For a page whose reads are all optional: it waits for them briefly, so that they are usually
 * complete when it opens, and itself shows loading and failed ones.
 */
export const prefetchForAMoment = (...queries: Prefetchable<unknown>[]): Promise<void> =>
  Promise.race([prefetch(...queries.map(optional)), wait(PATIENCE)])

/** Starts loading without delaying the page, for content behind skeletons. */
export function prefetchInBackground(...queries: Prefetchable<unknown>[]): void {
  for (const query of queries) void queryClient.prefetchQuery(query)
}

/** Required data, already loaded by the route's loader; missing data is a bug. */
export function usePrefetchedQuery<T>(query: Required<T>): UseQueryResult<T> & { data: T } {
  const result = useQuery(query)
  const { data, error, isFetching } = result
  if (data === undefined) {
    if (error) throw error
    console.error('Expected query to be prefetched.', query.queryKey)
    throw new Error('Expected query to be prefetched.')
  }
  // A refetch may find it again.
  if (isMissing(error) && !isFetching) throw new GoneError(error, data)
  return result as UseQueryResult<T> & { data: T }
}

/** The same data as of the page's opening, for a page whose own actions change or delete it. */
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

/** A change that a component makes; `call` says what follows. */
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

/**
 * Invalidates all answers of these operations, and refetches visible ones. Not needed after a call
 * that succeeded.
 */
export function invalidate(...operations: MethodName[]): Promise<void> {
  const names = new Set(operationsOf([operations]))
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => operationsOf(queryKey).some((name) => names.has(name)),
  })
}

/** Settles once the visible answers that are stale after a change have been read again. */
export const whenReread = (): Promise<void> =>
  queryClient.refetchQueries(
    {
      predicate: (query) =>
        query.state.isInvalidated && (query.isActive() || query.state.fetchStatus === 'fetching'),
    },
    { cancelRefetch: false },
  )

/** Reads again what the page shows. Other answers are read again when they are shown. */
export const refetchShown = (): Promise<void> =>
  queryClient.refetchQueries({
    type: 'active',
    predicate: ({ observers }) => observers.some(({ options }) => options.staleTime !== Infinity),
  })

/** Caches a known answer, e.g. a row before its edit panel opens; that of a change by `seedAnswer`. */
export function seed<M extends MethodName>(operation: M, args: Args<M>, data: Result<M>): void {
  queryClient.setQueryData([operation, args], data)
}
