/** Values in the unit in which they are read best. */
import { largestStep, ratedUnits } from '@steading/api/rules'
import { type ChartFormat, formatShort, shortCount } from '../../ui/charts/chart-data.ts'
import { formatNumber } from '../../ui/number.ts'

export type UnitFormat = ChartFormat & {
  /** As the title of a chart says it. */
  unit: string
  /** By what values are divided. */
  size: number
}

const exact = (value: number): string =>
  Math.abs(value) < 1 ? formatShort(value) : formatNumber(value)

/**
 * @param units those of a schema or of `ratedUnits`
 * @param max the largest value, without its sign
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
    tick: isCount ? tick : (value) => `${tick(value)} ${unit}`,
    value: (value) => `${exact(value)} ${unit}`,
  }
}

/** A value with the unit in which it is read best. */
export function valueText(units: string | null, value: number): string {
  const format = unitFormat(units, Math.abs(value))
  return format.value(value / format.size)
}

/** The units of a series, with the time that the values of a counter count. */
export const unitsOfSeries = ({ units, per }: { units: string; per?: number }): string =>
  ratedUnits(units, per)
