import type { PoolUse } from '@steading/api/rules'
import type { IpPoolUtilization } from '@steading/api/client'

type Utilization = Pick<IpPoolUtilization, 'capacity' | 'remaining'> &
  Partial<Pick<IpPoolUtilization, 'ipv4' | 'ipv6'>>

export type VersionUse = PoolUse & { remaining: bigint }

const useOf = (version: 'v4' | 'v6', capacity: bigint, allocated: bigint): VersionUse => ({
  version,
  capacity,
  allocated,
  remaining: capacity - allocated,
})

/**
 * How much of a pool is in use. Control planes that count by version say it exactly; others say it
 * in numbers that are rounded when they are large.
 */
export function poolUse(
  { capacity, remaining, ipv4, ipv6 }: Utilization,
  version: 'v4' | 'v6',
): VersionUse {
  if (!ipv4 || !ipv6) {
    return useOf(version, BigInt(capacity), BigInt(capacity) - BigInt(remaining))
  }
  const exact = version === 'v4' ? ipv4 : ipv6
  return useOf(version, BigInt(exact.capacity), BigInt(exact.allocated))
}
