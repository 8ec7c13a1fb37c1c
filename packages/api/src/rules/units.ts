/** The units in which values are read and written, by the one in which they are measured. */

export interface UnitStep {
  /** As it stands behind a number; empty if there is none. */
  unit: string
  /** How many of the measured unit it is. */
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
/** Units per second, and of CPU time percent of a CPU; size 1 is one of them in a second. */
const rates: Readonly<Record<string, readonly UnitStep[]>> = {
  bytes: steps.bytes!.map(({ unit, size }) => ({ unit: `${unit}/s`, size })),
  count: [{ unit: '/s', size: 1 }],
  nanoseconds: [{ unit: '%', size: 1e7 }],
}
const RATED = /^(\w+)\/(\d+)s$/

/**
 * The units of a counter whose values each count some time, `bytes/10s`: they are read and written as
 * rates.
 * @param seconds undefined for values that are not counted, which keep their units
 */
export const ratedUnits = <Units extends string>(
  units: Units,
  seconds: number | undefined,
): Units | `${Units}/${number}s` =>
  seconds !== undefined && Object.hasOwn(rates, units) ? `${units}/${seconds}s` : units

const unitless: readonly UnitStep[] = [{ unit: '', size: 1 }]

/** Digits that a division leaves as they were, after a multiplication of a number with fewer. */
const DIGITS = 15
const FEWER = 12

/** A value in another unit. */
export const inStep = (value: number, { size }: Pick<UnitStep, 'size'>): number =>
  size === 1 ? value : Number((value / size).toPrecision(FEWER))
/** A value in the measured unit. */
export const fromStep = (value: number, { size }: Pick<UnitStep, 'size'>): number =>
  size === 1 ? value : Number((value * size).toPrecision(DIGITS))

/**
 * The units for values that are measured in one, the smallest first.
 * @param units also those of `ratedUnits`; null or a word that is not known for values without a unit
 */
export function unitSteps(units: string | null): readonly UnitStep[] {
  if (units === null) return unitless
  const [, counted = '', seconds] = RATED.exec(units) ?? []
  if (Object.hasOwn(rates, counted)) {
    return rates[counted]!.map(({ unit, size }) => ({ unit, size: size * Number(seconds) }))
  }
  return (Object.hasOwn(steps, units) && steps[units]) || unitless
}

/** The largest unit of which a value is at least one; the smallest for smaller values. */
export function largestStep(units: string | null, value: number): UnitStep {
  const all = unitSteps(units)
  return all.findLast(({ size }) => Math.abs(value) >= size) ?? all[0]!
}

/** Digits of a number that is still short. */
const SHORT = 6

/** The largest unit in which a value is a short number; the measured or smallest one if there is none. */
export function shortStep(units: string | null, value: number): UnitStep {
  const all = unitSteps(units)
  const short = all.findLast((step) => {
    const number = inStep(value, step)
    const isShort = number === Number(number.toPrecision(SHORT))
    return isShort && Math.abs(number) >= 1 && fromStep(number, step) === value
  })
  return short ?? all.find(({ size }) => size === 1) ?? all[0]!
}

/** `2 GiB`, `1,500 rpm`, `0.25`; exact. */
export function amountWords(value: number, units: string | null): string {
  const step = shortStep(units, value)
  const number = inStep(value, step).toLocaleString('en-US', { maximumSignificantDigits: DIGITS })
  return step.unit ? `${number} ${step.unit}` : number
}
