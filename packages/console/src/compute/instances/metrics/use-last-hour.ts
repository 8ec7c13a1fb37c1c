import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { timeseriesQuery } from '../../../observability/timeseries/run-query.ts'
import { useTicks } from '../../../ui/charts/use-ticks.ts'
import { lastHour, lastHourQuery, type LineOf, linesOf } from './last-hour.ts'

/** Milliseconds between looks at the clock; the query changes every minute. */
const TICK_MS = 10_000

/** The lines of the last hour, which move while the page is visible. */
export function useLastHour(project: string, lines: readonly LineOf[]) {
  const [now, setNow] = useState(Date.now)
  useTicks(TICK_MS, () => setNow(Date.now()))
  const { data, error } = useQuery({
    ...timeseriesQuery({ project }, lastHourQuery(lines, lastHour(now))),
    placeholderData: keepPreviousData,
    retry: false,
  })
  return { lines: linesOf(lines, data ?? { tables: [] }), error, isRead: data !== undefined }
}
