/** Time series queries as reads of the console. */
import type { OxqlQueryResult } from '@steading/api/client'
import { collectionSeconds, durationWords } from '@steading/api/rules'
import { call } from '../../data/api.ts'
import { ApiError } from '../../data/errors.ts'
import type { QueryScope } from './explorer-link.ts'
import { namesIn } from './schemas.ts'

const NONE: OxqlQueryResult = { tables: [] }

/**
 * Sends a query unchanged. Missing data is an answer without tables.
 * @throws ApiError; `queryFault` tells whether the query is at fault
 */
async function runQuery(
  scope: QueryScope,
  query: string,
  tagFilter: string | undefined,
  signal?: AbortSignal,
): Promise<OxqlQueryResult> {
  const options = { signal, expected: [400] }
  try {
    if (tagFilter) {
      const body = { query, tagFilter }
      return scope === 'system'
        ? await call('systemTaggedTimeseriesQuery', { body }, options)
        : await call('taggedTimeseriesQuery', { query: scope, body }, options)
    }
    return scope === 'system'
      ? await call('systemTimeseriesQuery', { body: { query } }, options)
      : await call('timeseriesQuery', { query: scope, body: { query } }, options)
  } catch (failure) {
    if (meansEmpty(query, queryFault(failure) ?? '')) return NONE
    throw failure
  }
}

/**
 * Query options of a time series query; most are sent only once.
 * @param tagFilter tags that the resources must have, separated by commas
 */
export const timeseriesQuery = (scope: QueryScope, query: string, tagFilter?: string) => ({
  queryKey: [
    scope === 'system' ? 'systemTimeseriesQuery' : 'timeseriesQuery',
    scope === 'system' ? {} : { query: scope },
    query,
    tagFilter,
  ] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => runQuery(scope, query, tagFilter, signal),
  gcTime: 10_000,
})

/** The control plane's objection to the query itself; undefined for other failures. */
export const queryFault = (error: unknown): string | undefined =>
  error instanceof ApiError && error.statusCode === 400 ? (error.said ?? error.message) : undefined

/** Whether a query was refused only because of missing data. */
export const meansEmpty = (query: string, message: string): boolean =>
  /^Input tables (?:to a `group_by`|for a join operation) must not be empty/.test(message) ||
  (/\balign\b/.test(query) && message.startsWith('Input tables to a `group_by` must be aligned'))

/**
 * Expected time of a new series' first point.
 * @returns undefined if the collection interval of none of the query's metrics is known
 */
export function firstPointText(query: string): string | undefined {
  const seconds = Math.max(0, ...namesIn(query).map((name) => collectionSeconds(name) ?? 0))
  return seconds > 0
    ? `Measured every ${durationWords(seconds)}, so the first point of a new resource comes after ${durationWords(seconds)}.`
    : undefined
}
