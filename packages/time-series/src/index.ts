/** Time series stores: files in a directory, and VictoriaMetrics. */
export { linkTimeSeries } from './copy.ts'
export { EmbeddedTimeSeries } from './embedded.ts'
export { VictoriaMetricsTimeSeries } from './victoria-metrics/store.ts'
