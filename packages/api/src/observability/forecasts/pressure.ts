/** Pressure on limited resources: quotas, pools, sleds and physical disks. */

/** Usage percentages: needs attention, and nearly full. */
export const HIGH_USE_PERCENT = 80
export const NEARLY_FULL_PERCENT = 92

export type Pressure = 'low' | 'high' | 'nearly full'

/** Usage relative to its limit. Any usage of a zero limit counts as nearly full. */
export function pressureOf(used: number, limit: number): Pressure {
  const percent = limit > 0 ? (used * 100) / limit : used > 0 ? Infinity : 0
  return percent >= NEARLY_FULL_PERCENT
    ? 'nearly full'
    : percent >= HIGH_USE_PERCENT
      ? 'high'
      : 'low'
}
