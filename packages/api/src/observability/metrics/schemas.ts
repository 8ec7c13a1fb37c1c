import { diskMetrics, provisionedMetrics } from './rules.ts'
import { dateTime, named, oneOf, record } from '../../schema.ts'
import { Datum } from './datum.ts'

export const SystemMetricName = named('SystemMetricName', oneOf(...provisionedMetrics))
export const DiskMetricName = named(
  'DiskMetricName',
  oneOf(...(Object.keys(diskMetrics) as [string, ...string[]])),
)
export const PaginationOrder = named('PaginationOrder', oneOf('ascending', 'descending'))

export const Measurement = record('Measurement', { datum: Datum, timestamp: dateTime })
