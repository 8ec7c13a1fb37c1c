import type { OxqlQueryResult } from '@steading/api/client'
import { TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import { LoadError } from '../../page/load-error.tsx'
import { ChartCard } from '../../ui/charts/chart-card.tsx'
import { ChartGroup } from '../../ui/charts/chart-group.tsx'
import type { Span } from '../../ui/charts/zoom.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { firstPointText, queryFault } from './run-query.ts'
import { chartsOf } from './result-charts.ts'
import { ResultTable } from './result-table.tsx'
import { seriesOf } from './result-series.ts'
import type { Schema } from './schemas.ts'
import type { NameOfId } from './series-names.ts'

export type ResultView = 'chart' | 'table'

type QueryResultProps = {
  /** Undefined until loaded. */
  result: OxqlQueryResult | undefined
  /** The query that was answered. */
  query: string
  error: unknown
  onRetry: () => Promise<unknown>
  /** Time range of the charts. */
  range: Span
  /**
   * The query specifies its own time, so all of its points are shown, even outside of the
   * range.
   */
  ownTime?: boolean
  schemas: readonly Schema[]
  view?: ResultView
  nameOf?: NameOfId
  /** Replaces the metrics' names in an answer with a single chart. */
  title?: string
  /** Added to the menus of the charts. */
  actions?: MenuAction[]
}

/** From the first to the last point, at least a second. */
function spanOf(times: readonly number[], otherwise: Span): Span {
  const [from = otherwise.from, to = otherwise.to] = [times[0], times.at(-1)]
  return { from, to: Math.max(to, from + 1000) }
}

/**
 * The answer to a query as charts or as a table. It has the height of a chart while loading,
 * empty or failed.
 */
export function QueryResult(props: QueryResultProps) {
  const { result, error, onRetry, range, ownTime = false, schemas, view = 'chart' } = props
  const { query, nameOf, title, actions } = props
  const { from } = range
  const series = useMemo(
    () => result && seriesOf(result, schemas, ownTime ? undefined : { from, to: Infinity }),
    [result, schemas, ownTime, from],
  )
  const charts = useMemo(() => series && chartsOf(series, nameOf), [series, nameOf])
  const fault = queryFault(error)
  if (fault) return <QueryFault message={fault} />
  if (error && !result) {
    return <LoadError what="The result" error={error} onRetry={onRetry} />
  }
  if (view === 'table' && series?.length) return <ResultTable series={series} />
  const card = { error, onRetry, actions }
  if (!charts?.length) {
    return (
      <ChartGroup range={range}>
        <ChartCard
          {...card}
          title={title ?? 'Result'}
          unit={undefined}
          data={result && { times: [], series: [] }}
          whenEmpty={firstPointText(query)}
          range={range}
          format={{ tick: String, value: String }}
        />
      </ChartGroup>
    )
  }
  const times = charts.flatMap(({ data }) => [data.times[0] ?? from, data.times.at(-1) ?? from])
  const span = ownTime
    ? spanOf(
        times.toSorted((a, b) => a - b),
        range,
      )
    : range
  return (
    <ChartGroup range={span}>
      {charts.map(({ title: metrics, format, data, left }) => (
        <ChartCard
          key={format.unit + metrics}
          {...card}
          title={charts.length === 1 ? (title ?? metrics) : metrics}
          unit={format.unit}
          description={
            left > 0 &&
            `${left} more series are not drawn: filter them, or merge them with group_by`
          }
          data={data}
          range={span}
          format={format}
        />
      ))}
    </ChartGroup>
  )
}

/** The control plane's error message, with the line and a caret below it. */
const QueryFault = ({ message }: { message: string }) => (
  <div
    role="alert"
    className="flex min-h-90 flex-col items-center justify-center gap-3 rounded-card border bg-raised p-6"
  >
    <p className="flex items-center gap-2 font-medium">
      <TriangleAlert size={20} strokeWidth={1.5} aria-hidden className="text-red-text" />
      The query cannot be answered
    </p>
    <pre className="max-w-full overflow-x-auto font-mono text-xs/5 text-secondary">{message}</pre>
  </div>
)
