/** The series of an answer as charts: one per unit and interval, because a chart has one axis. */
import type { ChartData } from '../../ui/charts/chart-data.ts'
import { medianOf, type ResultSeries, type Value } from './result-series.ts'
import { type NameOfId, namesOf } from './series-names.ts'
import { type UnitFormat, unitFormat, unitsOfSeries } from './unit-format.ts'

/** Maximum number of lines in a chart; more are indistinguishable. */
export const MOST_LINES = 40

export type ResultChart = {
  /** The metrics, `target:metric`. */
  title: string
  format: UnitFormat
  data: ChartData
  /** Number of series not drawn because of the limit. */
  left: number
}

const numberOf = (value: Value | undefined): number | null => {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'number' ? value : null
}

/** The series sorted by name, so that they keep their colours. */
function named(series: readonly ResultSeries[], nameOf: NameOfId | undefined) {
  const names = namesOf(series, nameOf)
  return series
    .map((one, at) => ({ ...one, name: names[at]! }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

export function chartsOf(series: readonly ResultSeries[], nameOf?: NameOfId): ResultChart[] {
  return [...Map.groupBy(series, unitsOfSeries)].map(([units, all]) => {
    const drawn = named(all, nameOf).slice(0, MOST_LINES)
    const times = [...new Set(drawn.flatMap((one) => one.times))].toSorted((a, b) => a - b)
    const place = new Map(times.map((time, at) => [time, at]))
    let max = 0
    const lines = drawn.map((one) => {
      const values: (number | null)[] = Array.from({ length: times.length }, () => null)
      for (const [at, time] of one.times.entries()) {
        const value = numberOf(one.values[at])
        values[place.get(time)!] = value
        max = Math.max(max, Math.abs(value ?? 0))
      }
      return { name: one.name, values: fillBetween(values, one.times, times) }
    })
    const format = unitFormat(units, max)
    return {
      title: [...new Set(all.map(({ metric }) => metric))].join(', '),
      format,
      data: {
        times,
        series: lines.map(({ name, values }) => ({
          name,
          values: values.map((value) => (value === null ? null : value / format.size)),
        })),
      },
      left: all.length - drawn.length,
    }
  })
}

/** Multiple of the usual distance between points that counts as a gap. */
const GAP = 1.5

/**
 * Interpolates a series at its neighbours' times. Without this, series measured at other
 * moments would consist of gaps only.
 */
function fillBetween(
  values: (number | null)[],
  own: readonly number[],
  times: readonly number[],
): (number | null)[] {
  if (own.length === times.length) return values
  const mine = new Set(own)
  const usual = medianOf(own.slice(1).map((time, at) => time - own[at]!)) ?? 0
  const filled = values.slice()
  let last = -1
  for (const [at, time] of times.entries()) {
    if (!mine.has(time)) continue
    const [from, to] = [values[last] ?? null, values[at] ?? null]
    const isNext = last >= 0 && time - times[last]! <= GAP * usual
    if (isNext && from !== null && to !== null) {
      for (let between = last + 1; between < at; between++) {
        const part = (times[between]! - times[last]!) / (time - times[last]!)
        filled[between] = from + (to - from) * part
      }
    }
    last = at
  }
  return filled
}
