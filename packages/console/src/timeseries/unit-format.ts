/** Values in the unit in which they are read best. */
import { type ChartFormat, shortCount } from '../ui/charts/chart-data.ts'
import type { Schema } from './schemas.ts'

export type UnitFormat = ChartFormat & {
  /** As the title of a chart says it. */
  unit: string
  /** By what values are divided. */
  size: number
}

const large = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })
const small = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 })
const exact = (value: number): string => (Math.abs(value) < 1 ? small : large).format(value)

type Step = [size: number, unit: string]

const bytes: Step[] = ['Bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'].map((unit, at) => [
  1024 ** at,
  unit,
])
const nanoseconds: Step[] = [
  [1, 'ns'],
  [1e3, 'µs'],
  [1e6, 'ms'],
  [1e9, 's'],
]
const seconds: Step[] = [
  [1e-3, 'ms'],
  [1, 's'],
]

const largest = (steps: Step[], max: number): Step =>
  steps.findLast(([size]) => max >= size) ?? steps[0]!

const plain: Record<Exclude<Schema['units'], 'bytes' | 'nanoseconds' | 'seconds'>, string> = {
  count: '',
  none: '',
  volts: 'V',
  amps: 'A',
  watts: 'W',
  degrees_celsius: '°C',
  joules: 'J',
  rpm: 'rpm',
}

/** @param max the largest value, without its sign */
export function unitFormat(units: Schema['units'], max: number): UnitFormat {
  const [size, unit] =
    units === 'bytes'
      ? largest(bytes, max)
      : units === 'nanoseconds'
        ? largest(nanoseconds, max)
        : units === 'seconds'
          ? largest(seconds, max)
          : ([1, plain[units]] satisfies Step)
  if (!unit)
    return { unit: units === 'count' ? 'Count' : 'No unit', size, tick: shortCount, value: exact }
  return {
    unit,
    size,
    tick: size === 1 && units !== 'bytes' ? shortCount : exact,
    value: (value) => `${exact(value)} ${unit}`,
  }
}
