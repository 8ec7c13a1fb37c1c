import { timeseriesByName } from '@steading/api'
import { QUERIES_AT_ONCE, QUERY_TIME_MAX, timeseriesMessages } from '@steading/api/rules'
import {
  evaluate,
  type FieldCondition,
  parse,
  QueryError,
  type Series,
  type SeriesSource,
} from '@steading/oxql'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import { fail } from '../../../kernel/errors.ts'
import { TimeSeriesUnavailable, type TimeSeriesStore } from '../../../kernel/ports/time-series.ts'
import { answerOf } from './answer.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'

export type TimeseriesQueries = ReturnType<typeof createTimeseriesQueries>

/** Leaves out some of the series that were read. */
type Only = (series: Series[]) => Promise<Series[]>

/** @param signal ends the reading once it aborts */
const sourceOf = (store: TimeSeriesStore, only: Only, signal: AbortSignal): SeriesSource => ({
  schema: (name) => timeseriesByName.get(name),
  read: async (selection, maxPoints) => only(await store.read(selection, maxPoints, signal)),
})

/** Answers queries, a few at a time, so that they do not stall the server. */
export function createTimeseriesQueries(store: TimeSeriesStore | undefined) {
  const concurrency = createConcurrencyLimit(QUERIES_AT_ONCE)

  /**
   * Works with the store when it is its turn, for as long as a query may take and its client waits.
   * @param work calls `pause` every few milliseconds; the signal aborts when it has to end
   * @throws ApiError 400 if the query is at fault, and 503 if the store is
   */
  async function answer<T>(
    client: AbortSignal,
    work: (store: TimeSeriesStore, pause: () => Promise<void>, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (!store) throw fail.unavailable(timeseriesMessages.noStore)
    const limit = AbortSignal.timeout(QUERY_TIME_MAX)
    const signal = AbortSignal.any([client, limit])
    const pause = async () => {
      await yieldToEventLoop()
      signal.throwIfAborted()
    }
    try {
      return await concurrency.run(() => work(store, pause, signal), signal)
    } catch (error) {
      if (error instanceof QueryError) throw fail.invalidRequest(error.message)
      if (error instanceof TimeSeriesUnavailable) throw fail.unavailable(error.message)
      if (limit.aborted) throw fail.invalidRequest(timeseriesMessages.tookTooLong)
      // The client is gone, so nobody would read the answer.
      if (client.aborted) throw fail.unavailable()
      throw error
    }
  }

  return {
    answer,

    /**
     * @param scope conditions for each series, in addition to the query's
     * @param client aborts when the client disconnects
     * @param only leaves out series that the query is not about
     * @throws ApiError 400 if the query is at fault, and 503 if the store is
     */
    async run(
      query: string,
      scope: readonly FieldCondition[],
      now: Date,
      client: AbortSignal,
      only: Only = async (series) => series,
    ): Promise<Response> {
      return answer(client, async (store, pause, signal) => {
        const source = sourceOf(store, only, signal)
        const tables = await evaluate(parse(query), { source, now: now.getTime(), scope, pause })
        return answerOf(tables, pause)
      })
    },
  }
}
