import { counted } from '@steading/api/rules'
import { type ChartBands, type ChartData, type ChartFormat, summaryOf } from './chart-data.ts'
import { BandSwatch, Swatch } from './swatch.tsx'
import { Truncate } from '../text.tsx'

type LegendProps = {
  title: string
  data: ChartData
  /** Included with their visible spans. */
  bands: ChartBands | undefined
  format: ChartFormat
}

/** The series with their last, smallest and largest value, as a table for screen readers. */
export function Legend({ title, data, bands, format }: LegendProps) {
  const shown = (value: number | undefined) => (value === undefined ? '—' : format.value(value))
  return (
    <table className="w-full border-t text-xs tabular-nums">
      <caption className="sr-only">{title}: the last, least and greatest value shown</caption>
      <thead>
        <tr className="text-tertiary [&>th]:h-7 [&>th]:px-2 [&>th:last-child]:pe-4 [&>th]:text-end [&>th]:font-normal">
          <th scope="col" className="text-start!">
            <span className="sr-only">Series</span>
          </th>
          <th scope="col">Last</th>
          <th scope="col">Min</th>
          <th scope="col">Max</th>
        </tr>
      </thead>
      <tbody>
        {data.series.map(({ name, values }, index) => {
          const { last, min, max } = summaryOf(values)
          return (
            <tr
              key={name}
              className="[&>td]:h-7 [&>td]:px-2 [&>td:last-child]:pe-4 [&>td]:text-end [&>td]:whitespace-nowrap"
            >
              <th scope="row" className="w-full max-w-0 ps-4 pe-2 text-start font-normal">
                <span className="flex min-w-0 items-center gap-2">
                  <Swatch index={index} />
                  <Truncate text={name} />
                </span>
              </th>
              <td>{shown(last)}</td>
              <td>{shown(min)}</td>
              <td>{shown(max)}</td>
            </tr>
          )
        })}
        {bands && (
          <tr className="[&>td]:h-7 [&>td]:px-2 [&>td:last-child]:pe-4 [&>td]:text-end [&>td]:whitespace-nowrap">
            <th scope="row" className="w-full max-w-0 ps-4 pe-2 text-start font-normal">
              <span className="flex min-w-0 items-center gap-2">
                <BandSwatch />
                <Truncate text={bands.name} />
              </span>
            </th>
            <td colSpan={3}>
              {bands.spans.length === 0 ? 'never' : counted(bands.spans.length, 'time')}
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}
