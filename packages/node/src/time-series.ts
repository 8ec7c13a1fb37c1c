import type { TimeSeriesStore } from '@steading/control-plane/ports'
import { EmbeddedTimeSeries, VictoriaMetricsTimeSeries } from '@steading/time-series'
import { join } from 'node:path'
import type { ServerConfig } from './config.ts'
import { tryLock } from './data-lock.ts'
import type { Log } from './log.ts'
import { USER_AGENT } from './outgoing/request.ts'

/** The directory of the time series in the data directory. */
export const timeSeriesDirectory = (data: string): string => join(data, 'time-series')

/** Old time series are thinned to one point per interval. */
const INTERVAL_MS = 300_000

export interface HostTimeSeries extends TimeSeriesStore {
  /** Stores the received points, as far as currently possible. */
  close: () => Promise<void>
}

/** The store of time series of a configuration. Opened on first use. */
export function createTimeSeries(config: ServerConfig, log: Log): HostTimeSeries {
  if (config.metricsUrl) {
    return new VictoriaMetricsTimeSeries(config.metricsUrl, log, { userAgent: USER_AGENT })
  }
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
