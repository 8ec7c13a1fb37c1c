import type { PoolUse } from '@steading/api/rules'

/** The capacity and remainder of a pool. Large numbers are rounded to the nearest double. */
export const toWireRemaining = ({ capacity, allocated }: PoolUse) => ({
  capacity: Number(capacity),
  remaining: Number(capacity - allocated),
})
