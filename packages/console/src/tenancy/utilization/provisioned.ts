/** Data of charts of provisioned amounts over time. */
import type { Measurement, SystemMetricName } from '@steading/api/client'
import { call } from '../../data/api.ts'
import type { ChartData } from '../../ui/charts/chart-data.ts'
import type { Span } from '../../ui/charts/zoom.ts'
import { inUnit, type Resource } from './amounts.ts'

/** Points per request, and requests per chart: more would not be visible. */
const POINTS = 3000
const PAGES = 10

/** Scope of the data: a project or all of the user's own silo, or a silo or all of the fleet. */
export type MetricScope =
  | { operation: 'siloMetric'; project: string | undefined }
  | { operation: 'systemMetric'; silo: string | undefined }

export const metricOf = {
  cpus: 'cpus_provisioned',
  memory: 'ram_provisioned',
  storage: 'virtual_disk_space_provisioned',
} as const satisfies Record<Resource['name'], SystemMetricName>

type Query = {
  startTime?: Date
  endTime?: Date
  limit?: number
  order?: 'descending'
  pageToken?: string
}

const readPage = (
  whose: MetricScope,
  metricName: SystemMetricName,
  query: Query,
  signal: AbortSignal,
) =>
  whose.operation === 'siloMetric'
    ? call(
        'siloMetric',
        { path: { metricName }, query: { ...query, project: whose.project } },
        { signal },
      )
    : call(
        'systemMetric',
        { path: { metricName }, query: { ...query, silo: whose.silo } },
        { signal },
      )

/** The points of a span, and the last one before it. */
export const provisionedQuery = (whose: MetricScope, resource: Resource, { from, to }: Span) => ({
  queryKey: [whose.operation, whose, resource.name, from, to] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ChartData> => {
    const metric = metricOf[resource.name]
    const span = { startTime: new Date(from), endTime: new Date(to), limit: POINTS }
    const first = { startTime: new Date(0), endTime: new Date(from), limit: 1 }
    const [page, before] = await Promise.all([
      readPage(whose, metric, span, signal),
      readPage(whose, metric, { ...first, order: 'descending' }, signal),
    ])
    const points = page.items
    let last = page
    for (let pages = 1; last.items.length === POINTS && pages < PAGES; pages++) {
      last = await readPage(whose, metric, { limit: POINTS, pageToken: last.nextPage! }, signal)
      points.push(...last.items)
    }
    return provisionedData(points, before.items[0], { from, to }, resource)
  },
  // Each span is read once, and then superseded.
  gcTime: 10_000,
})

const amountOf = ({ datum }: Measurement): number => (datum.type === 'i64' ? datum.datum : 0)

/** A step for each point, from the start of the span to its end. */
export function provisionedData(
  points: readonly Measurement[],
  before: Measurement | undefined,
  { from, to }: Span,
  resource: Resource,
): ChartData {
  const steps = points.map((point) => ({
    time: point.timestamp.getTime(),
    amount: amountOf(point),
  }))
  if (steps.length === 0 || steps[0]!.time > from) {
    steps.unshift({ time: from, amount: before ? amountOf(before) : 0 })
  }
  steps.push({ time: to, amount: steps.at(-1)!.amount })
  return {
    times: steps.map(({ time }) => time),
    series: [{ name: 'Provisioned', values: steps.map(({ amount }) => inUnit(resource, amount)) }],
  }
}
