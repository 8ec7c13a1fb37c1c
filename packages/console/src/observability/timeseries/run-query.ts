/** Queries of time series as reads of the console. */
import type { OxqlQueryResult } from '@steading/api/client'
import { call } from '../../data/api.ts'
import { ApiError } from '../../data/errors.ts'
import { meansEmpty } from './empty-answer.ts'
import type { QueryScope } from './query-scope.ts'

const NONE: OxqlQueryResult = { tables: [] }

/**
 * Sends a query as it is. No data is an answer without tables.
 * @throws ApiError; `queryFault` tells whether the query is at fault
 */
async function runQuery(
  scope: QueryScope,
  query: string,
  signal?: AbortSignal,
): Promise<OxqlQueryResult> {
  const options = { signal, expected: [400] }
  try {
    return scope === 'system'
      ? await call('systemTimeseriesQuery', { body: { query } }, options)
      : await call('timeseriesQuery', { query: scope, body: { query } }, options)
  } catch (failure) {
    if (meansEmpty(query, queryFault(failure) ?? '')) return NONE
    throw failure
  }
}

/** Query options of a query of time series; each is mostly asked for once. */
export const timeseriesQuery = (scope: QueryScope, query: string) => ({
  queryKey: [
    scope === 'system' ? 'systemTimeseriesQuery' : 'timeseriesQuery',
    scope === 'system' ? {} : { query: scope },
    query,
  ] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => runQuery(scope, query, signal),
  gcTime: 10_000,
})

/** What the control plane says is wrong with the query itself; undefined for other failures. */
export const queryFault = (error: unknown): string | undefined =>
  error instanceof ApiError && error.statusCode === 400 ? (error.said ?? error.message) : undefined
