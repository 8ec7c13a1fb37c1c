/** What pools of addresses and pools of subnets have in common (control plane 8.8, 8.9). */
import type { IpVersion } from '../../rules/ip.ts'

/** How much of a pool is in use. Sizes of IPv6 are more than a number can hold exactly. */
export interface PoolUse {
  version: IpVersion
  capacity: bigint
  allocated: bigint
}

/** From this part in use on, a pool counts as nearly full. */
export const POOL_NEARLY_FULL = 0.9

export const isNearlyFull = ({ capacity, allocated }: Omit<PoolUse, 'version'>): boolean =>
  capacity > 0n && Number(allocated) >= Number(capacity) * POOL_NEARLY_FULL
