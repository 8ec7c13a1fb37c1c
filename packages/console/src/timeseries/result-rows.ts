/** The points of an answer as rows, for its table and its CSV. */
import type { ResultSeries, Value } from './result-series.ts'

export type ResultRows = {
  fields: readonly string[]
  /** By time, the newest first. */
  rows: readonly { series: ResultSeries; time: number; value: Value }[]
}

export function rowsOf(series: readonly ResultSeries[]): ResultRows {
  const fields = [...new Set(series.flatMap((one) => Object.keys(one.fields)))].toSorted()
  const rows = series.flatMap((one) =>
    one.times.map((time, at) => ({ series: one, time, value: one.values[at] ?? null })),
  )
  return { fields, rows: rows.toSorted((a, b) => b.time - a.time) }
}

const cell = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export const metricText = ({ metric, part }: ResultSeries): string =>
  part ? `${metric} ${part}` : metric

/** Times in UTC, values as they are in the unit of their metric, nothing where nothing was measured. */
export function csvOfRows({ fields, rows }: ResultRows): string {
  const lines = rows.map(({ series, time, value }) => [
    new Date(time).toISOString(),
    metricText(series),
    ...fields.map((field) => String(series.fields[field]?.value ?? '')),
    String(value ?? ''),
    series.units,
  ])
  return [['time', 'metric', ...fields, 'value', 'unit'], ...lines]
    .map((line) => `${line.map(cell).join(',')}\n`)
    .join('')
}
