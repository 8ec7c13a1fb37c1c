/** Values in the unit in which they are read best. */
import { largestStep } from '@steading/api/rules'
import { type ChartFormat, formatShort, shortCount } from '../ui/charts/chart-data.ts'
import { formatNumber } from '../ui/number.ts'
import type { Schema } from './schemas.ts'

export type UnitFormat = ChartFormat & {
  /** As the title of a chart says it, with the interval of counters: `MiB per 10 s`. */
  unit: string
  /** By what values are divided. */
  size: number
}

const exact = (value: number): string =>
  Math.abs(value) < 1 ? formatShort(value) : formatNumber(value)

/** `per 10 s`; durations of whole minutes and hours in these. */
export function perText(seconds: number): string {
  const [length, unit] =
    seconds % 3600 === 0 ? [3600, 'h'] : seconds % 60 === 0 ? [60, 'min'] : [1, 's']
  return seconds === 1 ? 'per second' : `per ${formatNumber(seconds / length)} ${unit}`
}

/**
 * @param max the largest value, without its sign
 * @param per seconds in which values of a counter were counted
 */
export function unitFormat(units: Schema['units'] | null, max: number, per?: number): UnitFormat {
  const { unit, size } = largestStep(units, max)
  const title = unit || (units === 'count' ? 'Count' : 'No unit')
  const titled = per === undefined ? title : `${title} ${perText(per)}`
  if (!unit) return { unit: titled, size, tick: shortCount, value: exact }
  const tick = size === 1 && units !== 'bytes' ? shortCount : exact
  return {
    unit: titled,
    size,
    tick: (value) => `${tick(value)} ${unit}`,
    value: (value) => `${exact(value)} ${unit}`,
  }
}

/** A value with the unit in which it is read best. */
export function valueText(units: Schema['units'] | null, value: number): string {
  const format = unitFormat(units, Math.abs(value))
  return format.value(value / format.size)
}
