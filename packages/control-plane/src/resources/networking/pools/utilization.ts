import type { PoolUse } from '@steading/api/rules'

/** How much of a pool there is, and is left. Large numbers are rounded to the nearest double. */
export const viewRemaining = ({ capacity, allocated }: PoolUse) => ({
  capacity: Number(capacity),
  remaining: Number(capacity - allocated),
})
