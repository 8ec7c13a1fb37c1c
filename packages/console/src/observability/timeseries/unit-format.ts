/** Values in their most readable unit. */
import { largestStep, ratedUnits, withUnit } from '@steading/api/rules'
import { type ChartFormat, formatShort, shortCount } from '../../ui/charts/chart-data.ts'
import { formatNumber } from '../../ui/number.ts'

export type UnitFormat = ChartFormat & {
  /** Unit in the title of a chart. */
  unit: string
  /** Divisor of the values. */
  size: number
}

const exact = (value: number): string =>
  Math.abs(value) < 1 ? formatShort(value) : formatNumber(value)

/**
 * @param units units of a schema or of `ratedUnits`
 * @param max the largest absolute value
 */
export function unitFormat(units: string | null, max: number): UnitFormat {
  const { unit, size } = largestStep(units, max)
  if (!unit) {
    return { unit: units === 'count' ? 'Count' : 'No unit', size, tick: shortCount, value: exact }
  }
  const isCount = unit === '/s'
  const tick = isCount || (size === 1 && units !== 'bytes') ? shortCount : exact
  return {
    unit: isCount ? 'Count per second' : unit,
    size,
    tick: isCount ? tick : (value) => withUnit(tick(value), unit),
    value: (value) => withUnit(exact(value), unit),
  }
}

/** A value with its most readable unit. */
export function valueText(units: string | null, value: number): string {
  const format = unitFormat(units, Math.abs(value))
  return format.value(value / format.size)
}

/** Units of a series; for a counter, with its counting time. */
export const unitsOfSeries = ({ units, per }: { units: string; per?: number }): string =>
  ratedUnits(units, per)
