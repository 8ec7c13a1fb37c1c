/** Pressure on what is limited: quotas, pools, sleds and physical disks. */

/** Percent in use from which a limit wants attention, and from which it is nearly reached. */
export const HIGH_USE_PERCENT = 80
export const NEARLY_FULL_PERCENT = 92

export type Pressure = 'low' | 'high' | 'nearly full'

/** How near the use of something is to its limit. Any use without a limit counts as nearly full. */
export function pressureOf(used: number, limit: number): Pressure {
  const percent = limit > 0 ? (used * 100) / limit : used > 0 ? Infinity : 0
  return percent >= NEARLY_FULL_PERCENT
    ? 'nearly full'
    : percent >= HIGH_USE_PERCENT
      ? 'high'
      : 'low'
}
