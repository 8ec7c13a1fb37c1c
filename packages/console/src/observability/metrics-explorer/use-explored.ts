import { useQuery } from '@tanstack/react-query'
import { syntaxProblem } from '../timeseries/problem.ts'
import type { QueryScope } from '../timeseries/explorer-link.ts'
import { timeseriesQuery } from '../timeseries/run-query.ts'
import { timedQuery } from '../timeseries/timed-query.ts'
import { endingNow, type Preset } from '../../ui/charts/time-range.ts'
import type { Span } from '../../ui/charts/zoom.ts'

/** A preset ends at the time of the request. */
export type ExploredTime = Preset | Span

const spanOf = (time: ExploredTime): Span => ('ms' in time ? endingNow(time) : time)

/** Answers are kept for a while, so that going back shows them at once. */
const KEPT_MS = 60_000

/** The answer to a query for a time range, with the sent query. An empty query is not sent. */
export function useExplored(scope: QueryScope, text: string, time: ExploredTime) {
  const isQuery = text !== '' && syntaxProblem(text) === undefined
  return useQuery({
    queryKey: ['explored', scope, text, time] as const,
    queryFn: async ({ signal }) => {
      const range = spanOf(time)
      const { query, isTimed } = timedQuery(text, range)
      const result = await timeseriesQuery(scope, query).queryFn({ signal })
      return { range, query, isTimed, result }
    },
    enabled: isQuery,
    gcTime: KEPT_MS,
  })
}
