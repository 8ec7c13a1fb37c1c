import { diskMetrics, provisionedMetrics } from './rules.ts'
import { dateTime, named, NameOrId, oneOf, record, resultsPage } from '../../schema.ts'
import { Datum } from './datum.ts'
import type { Operation } from '../../operation.ts'
import { paged } from '../../paging.ts'

const SystemMetricName = named('SystemMetricName', oneOf(...provisionedMetrics))
const DiskMetricName = named(
  'DiskMetricName',
  oneOf(...(Object.keys(diskMetrics) as [string, ...string[]])),
)
const PaginationOrder = named('PaginationOrder', oneOf('ascending', 'descending'))

const Measurement = record('Measurement', { datum: Datum, timestamp: dateTime })

/** Points of a time range: start inclusive, end exclusive. */
const points = (selectors: Parameters<typeof paged>[1]) =>
  paged(
    'none',
    {
      start_time: dateTime.optional(),
      end_time: dateTime.optional(),
      order: PaginationOrder.optional(),
      ...selectors,
    },
    ['end_time', 'start_time'],
  )
const params = { metric_name: SystemMetricName }
const success = { status: 200, schema: resultsPage(Measurement) } as const

export const metricOperations = {
  disk_metrics_list: {
    method: 'GET',
    path: '/v1/disks/{disk}/metrics/{metric}',
    tags: ['disks'],
    summary: 'Show a metric of a disk over time',
    permission: { disk: 'read' },
    params: { disk: NameOrId, metric: DiskMetricName },
    ...points({ project: NameOrId.optional() }),
    success,
  },
  silo_metric: {
    method: 'GET',
    path: '/v1/metrics/{metric_name}',
    tags: ['metrics'],
    summary: "Show the provisioned capacity of the caller's silo, or of a project, over time",
    permission: { silo: 'read', project: 'read' },
    params,
    ...points({ project: NameOrId.optional() }),
    success,
  },
  system_metric: {
    method: 'GET',
    path: '/v1/system/metrics/{metric_name}',
    tags: ['system/metrics'],
    summary: 'Show the provisioned capacity of the fleet, or of a silo, over time',
    permission: { fleet: 'read', silo: 'read' },
    params,
    ...points({ silo: NameOrId.optional() }),
    success,
  },
} as const satisfies Record<string, Operation>
