/** The points of an answer as rows, for its table and its CSV. */
import { csvLine } from '@steading/api/rules'
import type { ResultSeries, Value } from './result-series.ts'

export type ResultRows = {
  fields: readonly string[]
  /** By time, newest first. */
  rows: readonly { series: ResultSeries; time: number; value: Value }[]
}

export function rowsOf(series: readonly ResultSeries[]): ResultRows {
  const fields = [...new Set(series.flatMap((one) => Object.keys(one.fields)))].toSorted()
  const rows = series.flatMap((one) =>
    one.times.map((time, at) => ({ series: one, time, value: one.values[at] ?? null })),
  )
  return { fields, rows: rows.toSorted((a, b) => b.time - a.time) }
}

export const metricText = ({ metric, part }: ResultSeries): string =>
  part ? `${metric} ${part}` : metric

/** Numbers stay numbers, everything else becomes text. */
const cellOf = (value: unknown): string | number | bigint =>
  typeof value === 'number' || typeof value === 'bigint' ? value : String(value ?? '')

/** CSV with times in UTC, values in the metric's unit, and empty cells for missing values. */
export function csvOfRows({ fields, rows }: ResultRows): string {
  const lines = rows.map(({ series, time, value }) => [
    new Date(time).toISOString(),
    metricText(series),
    ...fields.map((field) => cellOf(series.fields[field]?.value)),
    cellOf(value),
    series.units,
  ])
  return [['time', 'metric', ...fields, 'value', 'unit'], ...lines].map(csvLine).join('')
}
