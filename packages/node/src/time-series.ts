import type { TimeSeriesStore } from '@steading/control-plane/ports'
import { EmbeddedTimeSeries, VictoriaMetricsTimeSeries } from '@steading/time-series'
import { join } from 'node:path'
import type { ServerConfig } from './config.ts'
import { tryLock } from './data-lock.ts'
import type { Log } from './log.ts'

/** The directory of the time series in the data directory. */
export const timeSeriesDirectory = (data: string): string => join(data, 'time-series')

/** Of old time series, one point is left of each interval. */
const INTERVAL_MS = 300_000

export interface HostTimeSeries extends TimeSeriesStore {
  /** Stores what was taken in, as far as that is possible now. */
  close: () => Promise<void>
}

/** The store of time series that a configuration wants. Nothing is opened before it is used. */
export function createTimeSeries(config: ServerConfig, log: Log): HostTimeSeries {
  if (config.metricsUrl) return new VictoriaMetricsTimeSeries(config.metricsUrl, log)
  return new EmbeddedTimeSeries({
    directory: timeSeriesDirectory(config.data),
    lock: tryLock,
    keepFree: config.keepFree,
    retention: {
      rawMs: config.metricsRawMs,
      keepMs: config.metricsKeepMs,
      intervalMs: INTERVAL_MS,
    },
    log,
  })
}
