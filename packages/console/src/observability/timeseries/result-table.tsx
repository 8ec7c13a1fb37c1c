import { formatZoned } from '../../ui/exact-time.ts'
import { useMemo } from 'react'
import { formatNumber } from '../../ui/number.ts'
import { metricText, rowsOf } from './result-rows.ts'
import type { ResultSeries, Value } from './result-series.ts'
import { unitsOfSeries, valueText } from './unit-format.ts'

/** Maximum number of rows in the table; the CSV has all of them. */
const MOST_ROWS = 500

function textOf(value: Value, series: ResultSeries): string {
  if (value === null) return '—'
  if (typeof value !== 'number') return String(value)
  return valueText(unitsOfSeries(series), value)
}

/** All points of an answer with all fields, newest first. */
export function ResultTable({ series }: { series: readonly ResultSeries[] }) {
  const { fields, rows } = useMemo(() => rowsOf(series), [series])
  return (
    <div
      role="region"
      aria-label="Result as table"
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
      tabIndex={0}
      className="focus-inset max-h-[60vh] min-h-75 overflow-auto rounded-card border bg-raised"
    >
      <table className="w-full text-xs tabular-nums">
        <caption className="sr-only">The result, the newest first</caption>
        <thead>
          <tr className="sticky top-0 bg-raised text-tertiary [&>th]:h-9 [&>th]:px-3 [&>th]:text-start [&>th]:font-normal [&>th]:whitespace-nowrap">
            <th scope="col">Time</th>
            <th scope="col">Metric</th>
            {fields.map((field) => (
              <th key={field} scope="col">
                {field}
              </th>
            ))}
            <th scope="col" className="text-end!">
              Value
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.slice(0, MOST_ROWS).map(({ series: one, time, value }, index) => (
            <tr key={index} className="[&>*]:h-8 [&>*]:px-3 [&>*]:whitespace-nowrap">
              <th scope="row" className="text-start font-normal">
                {formatZoned(time)}
              </th>
              <td>{metricText(one)}</td>
              {fields.map((field) => (
                <td key={field}>{String(one.fields[field]?.value ?? '—')}</td>
              ))}
              <td className="text-end font-medium">{textOf(value, one)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MOST_ROWS && (
        <p className="sticky start-0 p-3 text-xs text-secondary">
          These are the newest {formatNumber(MOST_ROWS)} of {formatNumber(rows.length)} points. The
          CSV has all of them.
        </p>
      )}
    </div>
  )
}
