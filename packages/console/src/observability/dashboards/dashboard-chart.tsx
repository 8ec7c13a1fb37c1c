import { fillVariables, variablesOf } from '@steading/oxql/syntax'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { firstPointText, queryFault, timeseriesQuery } from '../timeseries/run-query.ts'
import { explorerPath, type QueryScope } from '../timeseries/explorer-link.ts'
import { useNameOfId } from '../timeseries/field-values.ts'
import { syntaxProblem } from '../timeseries/problem.ts'
import { chartsOf } from '../timeseries/result-charts.ts'
import { type ResultSeries, seriesOf } from '../timeseries/result-series.ts'
import { ResultTable } from '../timeseries/result-table.tsx'
import { schemasQuery } from '../timeseries/schemas.ts'
import { namesOf } from '../timeseries/series-names.ts'
import { timedQuery } from '../timeseries/timed-query.ts'
import { unitFormat, unitsOfSeries } from '../timeseries/unit-format.ts'
import { ChartCard, ChartLoading } from '../../ui/charts/chart-card.tsx'
import type { Span } from '../../ui/charts/zoom.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Menu } from '../../ui/menu.tsx'
import type { Chart } from './queries.ts'

type DashboardChartProps = {
  scope: QueryScope
  chart: Chart
  /** IDs by variable. */
  values: Readonly<Record<string, string>>
  /** Tags that the resources must have, separated by commas. */
  tagFilter: string | undefined
  range: Span
  actions: MenuAction[]
}

const EMPTY = { times: [], series: [] }

type Filled = { note?: string; filled?: string; query?: string; isTimed?: boolean }

/** The query with its variables and time range, or a note about a missing variable. */
function queryOf({ query }: Chart, values: Readonly<Record<string, string>>, range: Span): Filled {
  const missing = variablesOf(query).find((name) => !Object.hasOwn(values, name))
  if (missing) return { note: `There is no ${missing} to show.` }
  const filled = fillVariables(query, values)
  const problem = syntaxProblem(filled)
  if (problem) return { note: problem.message }
  return { filled, ...timedQuery(filled, range) }
}

/** A chart of a dashboard; an error stays within it. */
export function DashboardChart(props: DashboardChartProps) {
  const { scope, chart, values, tagFilter, range, actions } = props
  const navigate = useNavigate()
  const schemas = useQuery(schemasQuery(scope)).data
  const { note, filled, query = '', isTimed } = queryOf(chart, values, range)
  const { data, error, refetch } = useQuery({
    ...timeseriesQuery(scope, query, tagFilter),
    enabled: note === undefined,
    // Keep the previous data until new data arrives.
    placeholderData: keepPreviousData,
  })
  const nameOf = useNameOfId(scope, data !== undefined)
  const from = isTimed ? range.from : undefined
  const series = useMemo(
    () =>
      data &&
      schemas &&
      seriesOf(data, schemas, from === undefined ? undefined : { from, to: Infinity }),
    [data, schemas, from],
  )
  const menu: MenuAction[] = [
    ...(filled
      ? [
          {
            label: 'Open in explorer',
            local: true,
            onAction: () => void navigate({ to: explorerPath(scope, { query: filled }) }),
          },
        ]
      : []),
    ...actions,
  ]
  const fault = note ?? queryFault(error)
  if (fault || chart.display !== 'line') {
    return (
      <Framed title={chart.title} menu={menu}>
        {fault ? (
          <pre
            role="alert"
            className="min-h-75 overflow-x-auto p-4 font-mono text-xs/5 text-secondary"
          >
            {fault}
          </pre>
        ) : !series ? (
          <ChartLoading />
        ) : chart.display === 'table' ? (
          <div className="[&>*]:rounded-none [&>*]:border-0">
            <ResultTable series={series} />
          </div>
        ) : (
          <LastValues query={chart.query} series={series} names={namesOf(series, nameOf)} />
        )}
      </Framed>
    )
  }
  const [first, ...others] = series ? chartsOf(series, nameOf) : []
  return (
    <ChartCard
      title={chart.title}
      unit={first?.format.unit}
      description={
        others.length > 0
          ? `Metrics in other units are not drawn: ${others.map(({ title }) => title).join(', ')}`
          : first && first.left > 0
            ? `${first.left} more series are not drawn: filter them, or merge them with group_by`
            : undefined
      }
      data={series && (first?.data ?? EMPTY)}
      whenEmpty={firstPointText(chart.query)}
      error={error}
      onRetry={refetch}
      range={range}
      format={first?.format ?? { tick: String, value: String }}
      actions={menu}
    />
  )
}

type FramedProps = { title: string; menu: MenuAction[]; children: React.ReactNode }

const Framed = ({ title, menu, children }: FramedProps) => (
  <section
    aria-label={title}
    className="min-w-0 overflow-clip rounded-card border bg-raised break-inside-avoid"
  >
    <header className="flex min-h-12 items-center gap-2 px-4 py-2">
      <h2 className="min-w-0 flex-1 text-base font-medium">{title}</h2>
      {menu.length > 0 && <Menu label={`${title} chart actions`} items={menu} />}
    </header>
    {children}
  </section>
)

/** Maximum number of series listed side by side. */
const MOST_VALUES = 12

type LastValuesProps = { query: string; series: readonly ResultSeries[]; names: readonly string[] }

/** The newest value of each series. */
function LastValues({ query, series, names }: LastValuesProps) {
  if (series.length === 0) {
    return (
      <div className="min-h-24 p-4 text-secondary">
        <p>There is no data.</p>
        <p>{firstPointText(query)}</p>
      </div>
    )
  }
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-4 p-4">
      {series.slice(0, MOST_VALUES).map((one, index) => {
        const last = one.values.findLast((value) => typeof value === 'number')
        const format = unitFormat(unitsOfSeries(one), Math.abs(Number(last ?? 0)))
        return (
          <div key={names[index]} className="min-w-0">
            <dt className="truncate text-xs text-secondary">{names[index]}</dt>
            <dd className="text-2xl font-semibold tabular-nums">
              {typeof last === 'number' ? format.value(last / format.size) : '—'}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
