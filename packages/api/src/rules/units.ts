/** Display and input units, by the unit of the measurement. */

export interface UnitStep {
  /** Suffix of a number; empty if there is none. */
  unit: string
  /** Size in units of the measurement. */
  size: number
}

const steps: Readonly<Record<string, readonly UnitStep[]>> = {
  bytes: ['Bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'].map((unit, at) => ({
    unit,
    size: 1024 ** at,
  })),
  nanoseconds: [
    { unit: 'ns', size: 1 },
    { unit: 'µs', size: 1e3 },
    { unit: 'ms', size: 1e6 },
    { unit: 's', size: 1e9 },
  ],
  seconds: [
    { unit: 'ms', size: 1e-3 },
    { unit: 's', size: 1 },
  ],
  volts: [{ unit: 'V', size: 1 }],
  amps: [{ unit: 'A', size: 1 }],
  watts: [{ unit: 'W', size: 1 }],
  degrees_celsius: [{ unit: '°C', size: 1 }],
  joules: [{ unit: 'J', size: 1 }],
  rpm: [{ unit: 'rpm', size: 1 }],
}
/** Units per second, and for CPU time percent of a CPU; size 1 is one unit per second. */
const rates: Readonly<Record<string, readonly UnitStep[]>> = {
  bytes: steps.bytes!.map(({ unit, size }) => ({ unit: `${unit}/s`, size })),
  count: [{ unit: '/s', size: 1 }],
  nanoseconds: [{ unit: '%', size: 1e7 }],
}
const RATED = /^(\w+)\/(\d+)s$/

/**
 * Units of a counter whose values each cover some time, `bytes/10s`: they are displayed and entered
 * as rates.
 * @param seconds undefined for values that are not counters, which keep their units
 */
export const ratedUnits = <Units extends string>(
  units: Units,
  seconds: number | undefined,
): Units | `${Units}/${number}s` =>
  seconds !== undefined && Object.hasOwn(rates, units) ? `${units}/${seconds}s` : units

const unitless: readonly UnitStep[] = [{ unit: '', size: 1 }]

/**
 * Significant digits preserved by a division after a multiplication, and of a shorter number
 * before.
 */
const DIGITS = 15
const FEWER = 12

/** Converts a value to another unit. */
export const inStep = (value: number, { size }: Pick<UnitStep, 'size'>): number =>
  size === 1 ? value : Number((value / size).toPrecision(FEWER))
/** Converts a value back to the unit of the measurement. */
export const fromStep = (value: number, { size }: Pick<UnitStep, 'size'>): number =>
  size === 1 ? value : Number((value * size).toPrecision(DIGITS))

/**
 * Units for a measurement unit, smallest first.
 * @param units including the results of `ratedUnits`; null or an unknown word for values without a
 * unit
 */
export function unitSteps(units: string | null): readonly UnitStep[] {
  if (units === null) return unitless
  const [, counted = '', seconds] = RATED.exec(units) ?? []
  if (Object.hasOwn(rates, counted)) {
    return rates[counted]!.map(({ unit, size }) => ({ unit, size: size * Number(seconds) }))
  }
  return (Object.hasOwn(steps, units) && steps[units]) || unitless
}

/** The largest unit that is not greater than a value; the smallest unit for smaller values. */
export function largestStep(units: string | null, value: number): UnitStep {
  const all = unitSteps(units)
  return all.findLast(({ size }) => Math.abs(value) >= size) ?? all[0]!
}

/** Maximum length of a short number in digits. */
const SHORT = 6

/**
 * The largest unit that makes a value a short number; otherwise the measurement unit or the
 * smallest one.
 */
export function shortStep(units: string | null, value: number): UnitStep {
  const all = unitSteps(units)
  const short = all.findLast((step) => {
    const number = inStep(value, step)
    const isShort = number === Number(number.toPrecision(SHORT))
    return isShort && Math.abs(number) >= 1 && fromStep(number, step) === value
  })
  return short ?? all.find(({ size }) => size === 1) ?? all[0]!
}

/** `2 GiB`, `90%`, `0.1/s`. */
export const withUnit = (number: string, unit: string): string =>
  /^[%/]/.test(unit) ? number + unit : `${number} ${unit}`

/** `2 GiB`, `1,500 rpm`, `0.25`; exact. */
export function amountWords(value: number, units: string | null): string {
  const step = shortStep(units, value)
  const number = inStep(value, step).toLocaleString('en-US', { maximumSignificantDigits: DIGITS })
  return step.unit ? withUnit(number, step.unit) : number
}
