/** Units of time in seconds, longest first. */
export const units = { days: 86_400, hours: 3_600, minutes: 60, seconds: 1 } as const
export type Unit = keyof typeof units
export const unitNames = Object.keys(units) as Unit[]

/** The number in the longest unit that divides it evenly. */
export function inUnits(seconds: number): { amount: number; unit: Unit } {
  const unit = unitNames.find((each) => seconds % units[each] === 0)!
  return { amount: seconds / units[unit], unit }
}

/** `30 days`. */
export function lifetimeText(seconds: number): string {
  const { amount, unit } = inUnits(seconds)
  return `${amount} ${amount === 1 ? unit.slice(0, -1) : unit}`
}
