import { formatZoned } from '../exact-time.ts'
import { type ChartBands, type ChartData, type ChartFormat, isMarked } from './chart-data.ts'

/** Maximum number of rows in the table; the CSV has all of them. */
const MOST = 500

type DataTableProps = {
  title: string
  data: ChartData
  bands: ChartBands | undefined
  format: ChartFormat
}

/** The data of a chart as a table, newest first. */
export function DataTable({ title, data, bands, format }: DataTableProps) {
  const { times, series } = data
  const shown = times.map((_, index) => times.length - 1 - index).slice(0, MOST)
  return (
    <div
      role="region"
      aria-label={`${title} as table`}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
      tabIndex={0}
      className="h-75 overflow-auto"
    >
      <table className="w-full text-xs tabular-nums">
        <caption className="sr-only">{title}, the newest first</caption>
        <thead>
          <tr className="sticky top-0 bg-raised text-tertiary [&>th]:h-8 [&>th]:px-2 [&>th:first-child]:ps-4 [&>th:last-child]:pe-4 [&>th]:font-normal">
            <th scope="col" className="text-start">
              Time
            </th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="text-end">
                {name}
              </th>
            ))}
            {bands && (
              <th scope="col" className="text-end">
                {bands.name}
              </th>
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {shown.map((index) => (
            <tr
              key={index}
              className="[&>td]:h-7 [&>td]:px-2 [&>td:last-child]:pe-4 [&>td]:text-end"
            >
              <th scope="row" className="ps-4 pe-2 text-start font-normal">
                {formatZoned(times[index]!)}
              </th>
              {series.map(({ name, values }) => (
                <td key={name}>{values[index] == null ? '—' : format.value(values[index]!)}</td>
              ))}
              {bands && <td>{isMarked(bands, times[index]!) ? 'yes' : '—'}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {times.length > MOST && (
        <p className="p-2 text-xs text-secondary">
          The CSV has the other {times.length - MOST} rows.
        </p>
      )}
    </div>
  )
}
