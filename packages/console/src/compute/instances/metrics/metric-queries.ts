/** The OxQL queries of an instance's metrics, and the conversion of answers for charts. */
import type { OxqlQueryResult } from '@steading/api/client'
import { collectionSeconds, durationWords, withUnit } from '@steading/api/rules'
import { fieldName } from '../../../observability/timeseries/result-series.ts'
import type { ChartData } from '../../../ui/charts/chart-data.ts'
import { shortCount } from '../../../ui/charts/chart-data.ts'
import { formatNumber } from '../../../ui/number.ts'
import { formatSeconds } from '../../../ui/exact-time.ts'
import type { Span } from '../../../ui/charts/zoom.ts'

export type Metric = {
  name: string
  title: string
  unit: 'percent' | 'bytes' | 'count'
  /** The period of each value, and the parts it sums. */
  description: string
  /** Required values by field. */
  fields: Readonly<Record<string, string>>
  groupBy?: string | undefined
}

const cpuStates = {
  run: { label: 'Running', description: 'Share of vCPU time the guest was running' },
  emulation: { label: 'Emulation', description: 'Time spent on work of virtual devices' },
  idle: { label: 'Idle', description: 'Time in which the guest had nothing to do' },
  waiting: { label: 'Waiting', description: 'Time in which vCPUs waited for a CPU of the sled' },
} as const
export type CpuState = keyof typeof cpuStates

export const cpuStateNames = Object.keys(cpuStates) as CpuState[]
export const cpuStateLabel = (state: CpuState): string => cpuStates[state].label

export const cpuMetric = (instanceId: string, state: CpuState): Metric => ({
  name: 'virtual_machine:vcpu_usage',
  title: `CPU Utilization: ${cpuStates[state].label}`,
  description: `${cpuStates[state].description}, of all vCPUs together`,
  unit: 'percent',
  fields: { instance_id: instanceId, state },
  groupBy: 'vcpu_id',
})

/**
 * `Per 10 seconds, all disks together`: values are means over samples, and each sample counts since
 * the previous one.
 */
const countedText = (name: string, of: string): string =>
  `Per ${durationWords(collectionSeconds(name)!)}, ${of}`

/** The metrics of one disk, or of all attached disks. */
export function diskMetrics(instanceId: string, diskId: string | undefined): Metric[] {
  const fields = { attached_instance_id: instanceId, ...(diskId && { disk_id: diskId }) }
  const of = (metric: string, title: string, unit: Metric['unit']): Metric => ({
    name: `virtual_disk:${metric}`,
    title,
    unit,
    description: countedText(`virtual_disk:${metric}`, diskId ? 'this disk' : 'all disks together'),
    fields,
    ...(!diskId && { groupBy: 'attached_instance_id' }),
  })
  return [
    of('reads', 'Disk Reads', 'count'),
    of('writes', 'Disk Writes', 'count'),
    of('flushes', 'Disk Flushes', 'count'),
    of('bytes_read', 'Bytes Read', 'bytes'),
    of('bytes_written', 'Bytes Written', 'bytes'),
  ]
}

/** The metrics of a disk, over all instances that it was attached to. */
export const metricsOfDisk = (diskId: string): Metric[] =>
  diskMetrics('', diskId).map((metric) => ({ ...metric, fields: { disk_id: diskId } }))

/** The metrics of one network interface, or of all. */
export function networkMetrics(instanceId: string, interfaceId: string | undefined): Metric[] {
  const fields = { instance_id: instanceId, ...(interfaceId && { interface_id: interfaceId }) }
  const of = (metric: string, title: string, unit: Metric['unit']): Metric => ({
    name: `instance_network_interface:${metric}`,
    title,
    unit,
    description: countedText(
      `instance_network_interface:${metric}`,
      interfaceId ? 'this network interface' : 'all network interfaces together',
    ),
    fields,
    ...(!interfaceId && { groupBy: 'instance_id' }),
  })
  return [
    of('bytes_sent', 'Bytes Sent', 'bytes'),
    of('bytes_received', 'Bytes Received', 'bytes'),
    of('packets_sent', 'Packets Sent', 'count'),
    of('packets_received', 'Packets Received', 'count'),
    of('packets_dropped', 'Packets Dropped', 'count'),
  ]
}

/** Number of points in a chart. */
const POINTS = 60
/** Seconds between samples of machines. */
export const SAMPLED_EVERY = collectionSeconds('virtual_machine:vcpu_usage')!

const moment = (time: number) => `@${new Date(time).toISOString().replace(/\.\d+Z$/, '.000')}`

/** Seconds covered by one point of the chart. */
const windowOf = ({ from, to }: Span): number =>
  Math.max(SAMPLED_EVERY, Math.round((to - from) / 1000 / POINTS))

/**
 * When the first point of an instance is due, or why there is none.
 * @returns undefined if it should be there already
 */
export function firstPointOf(
  metric: Metric,
  range: Span,
  runningSince: Date | undefined,
): string | undefined {
  if (!runningSince) return 'Instances are measured while they are running.'
  const every = collectionSeconds(metric.name)!
  // A point covers one window, and the first point of a counter is dropped.
  const first = runningSince.getTime() + (every + windowOf(range)) * 1000
  if (first < range.to) return undefined
  return `Measured every ${durationWords(every)}. The first point of this range comes at ${formatSeconds(first)}.`
}

const stepsAfterFilter = (metric: Metric, window: number): string[] => [
  `align mean_within(${window}s)`,
  ...(metric.groupBy ? [`group_by [${metric.groupBy}], sum`] : []),
]

/**
 * The stages of a metric's query. It begins two windows early: the first point of a counter
 * contains everything counted before, and is dropped.
 */
export function querySteps(metric: Metric, { from, to }: Span): string[] {
  const window = windowOf({ from, to })
  const conditions = [
    `timestamp >= ${moment(from - 2 * window * 1000)}`,
    `timestamp < ${moment(to)}`,
    ...Object.entries(metric.fields).map(([field, value]) => `${field} == "${value}"`),
  ]
  return [
    `get ${metric.name}`,
    `filter ${conditions.join(' && ')}`,
    ...stepsAfterFilter(metric, window),
  ]
}

/** The query of a metric without a time range, for the explorer, which has its own. */
export const untimedQueryOf = (metric: Metric, { from, to }: Span): string => {
  const conditions = Object.entries(metric.fields).map(([field, value]) => `${field} == "${value}"`)
  return [
    `get ${metric.name}`,
    `filter ${conditions.join(' && ')}`,
    ...stepsAfterFilter(metric, windowOf({ from, to })),
  ].join('\n| ')
}

export const queryOf = (metric: Metric, span: Span): string => querySteps(metric, span).join(' | ')

/**
 * The same query for a metric that may have no samples: grouping an empty table is an error, and
 * the sum of all series does not depend on groups.
 */
export const ungroupedQueryOf = (metric: Metric, span: Span): string =>
  queryOf({ ...metric, groupBy: undefined }, span)

/**
 * The sum of all series at each time except the first; null where no series has a number.
 * @param groupBy the field by which series are counted
 */
export function sumOf(
  { tables }: OxqlQueryResult,
  groupBy?: string,
): { times: number[]; values: (number | null)[]; seriesCount: number } {
  const timeseries = tables[0]?.timeseries ?? []
  const sums = new Map<number, number | null>()
  for (const { points } of timeseries) {
    const values = points.values[0]?.values.values ?? []
    for (const [index, timestamp] of points.timestamps.entries()) {
      // The client parses single times as dates, but not lists of times.
      const time = new Date(timestamp).getTime()
      const value = values[index]
      const before = sums.get(time) ?? null
      sums.set(time, typeof value === 'number' ? (before ?? 0) + value : before)
    }
  }
  const groups = new Set(
    timeseries.map(({ fields }, index) =>
      groupBy
        ? Object.entries(fields).find(([key]) => fieldName(key) === groupBy)?.[1].value
        : index,
    ),
  )
  const sorted = [...sums].toSorted(([a], [b]) => a - b).slice(1)
  return {
    times: sorted.map(([time]) => time),
    values: sorted.map(([, value]) => value),
    seriesCount: groups.size,
  }
}

const byteUnits = ['Bytes', 'KiB', 'MiB', 'GiB', 'TiB']

export type ReadableData = {
  data: ChartData
  unit: string
  tick: (value: number) => string
  value: (value: number) => string
}

/** An answer converted to its most readable unit. */
export function inReadableUnit(metric: Metric, answer: OxqlQueryResult): ReadableData {
  const { times, values, seriesCount } = sumOf(answer, metric.groupBy)
  const max = Math.max(0, ...values.map((value) => value ?? 0))
  const [size, unit] = sizeOf(metric.unit, max, seriesCount)
  const measured = values.some((value) => value !== null)
  const written = (value: number) =>
    unit === 'Count' ? formatNumber(value) : withUnit(formatNumber(value), unit)
  return {
    data: {
      times: measured ? times : [],
      series: [
        {
          name: metric.title,
          values: values.map((value) => (value === null ? null : value / size)),
        },
      ],
    },
    unit,
    tick: metric.unit === 'count' ? shortCount : written,
    value: written,
  }
}

/** The divisor of values, and their unit after division. */
function sizeOf(unit: Metric['unit'], max: number, seriesCount: number): [number, string] {
  switch (unit) {
    case 'percent':
      // Nanoseconds between two samples, times the number of vCPUs.
      return [(SAMPLED_EVERY * 1e9 * Math.max(1, seriesCount)) / 100, '%']
    case 'bytes': {
      const power = max >= 1 ? Math.min(Math.floor(Math.log2(max) / 10), byteUnits.length - 1) : 0
      return [1024 ** power, byteUnits[power]!]
    }
    case 'count':
      return [1, 'Count']
  }
}
