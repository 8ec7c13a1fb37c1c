export { meetsAll, seriesId } from './conditions.ts'
export * from './model.ts'
export * from './limits.ts'
export * from './syntax.ts'
export { evaluate, type EvaluationOptions } from './evaluation/evaluate.ts'
export type {
  Column,
  Distribution,
  MetricType,
  Points,
  Table,
  Timeseries,
  Values,
  ValueType,
} from './evaluation/table.ts'
export { TooExpensiveError } from './query-error.ts'
export { quantile } from './quantile.ts'
export {
  toWire,
  type WireDistribution,
  type WireResult,
  type WireTimeseries,
  type WireValues,
} from './wire.ts'
