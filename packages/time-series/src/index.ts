/** Stores of time series: files in a directory, and a server of VictoriaMetrics. */
export { linkTimeSeries } from './copy.ts'
export { EmbeddedTimeSeries } from './embedded.ts'
export { VictoriaMetricsTimeSeries } from './victoria-metrics/store.ts'
