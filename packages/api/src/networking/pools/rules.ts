/** Common rules of IP pools and subnet pools (control plane 8.8, 8.9). */
import type { IpVersion } from '../../rules/ip.ts'

/** Usage of a pool. IPv6 sizes exceed the exact integers of a number. */
export interface PoolUse {
  version: IpVersion
  capacity: bigint
  allocated: bigint
}

/** Share in use from which a pool counts as nearly full. */
export const POOL_NEARLY_FULL = 0.9

export const isNearlyFull = ({ capacity, allocated }: Omit<PoolUse, 'version'>): boolean =>
  capacity > 0n && Number(allocated) >= Number(capacity) * POOL_NEARLY_FULL
