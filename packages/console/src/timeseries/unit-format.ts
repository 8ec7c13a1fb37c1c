/** Values in the unit in which they are read best. */
import { largestStep } from '@steading/api/rules'
import { type ChartFormat, formatShort, shortCount } from '../ui/charts/chart-data.ts'
import { formatNumber } from '../ui/number.ts'
import type { Schema } from './schemas.ts'

export type UnitFormat = ChartFormat & {
  /** As the title of a chart says it. */
  unit: string
  /** By what values are divided. */
  size: number
}

const exact = (value: number): string =>
  Math.abs(value) < 1 ? formatShort(value) : formatNumber(value)

/** @param max the largest value, without its sign */
export function unitFormat(units: Schema['units'] | null, max: number): UnitFormat {
  const { unit, size } = largestStep(units, max)
  if (!unit)
    return { unit: units === 'count' ? 'Count' : 'No unit', size, tick: shortCount, value: exact }
  return {
    unit,
    size,
    tick: size === 1 && units !== 'bytes' ? shortCount : exact,
    value: (value) => `${exact(value)} ${unit}`,
  }
}

/** A value with the unit in which it is read best. */
export function valueText(units: Schema['units'] | null, value: number): string {
  const format = unitFormat(units, Math.abs(value))
  return format.value(value / format.size)
}
