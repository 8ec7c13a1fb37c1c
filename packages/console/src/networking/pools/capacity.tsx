import type { IpPoolUtilization } from '@steading/api/client'
import { type PoolUse, isNearlyFull } from '@steading/api/rules'
import { TriangleAlert } from 'lucide-react'
import { BigNumber } from '../../ui/big-number.tsx'
import { tooltip } from '../../ui/tooltip.tsx'

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
 * The usage of a pool. Control planes that count by version send exact numbers; others round large
 * ones.
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

/** Remaining addresses and capacity of a pool, with a warning icon when it is nearly full. */
export function Remaining({ use }: { use: VersionUse }) {
  const warning = use.remaining === 0n ? 'None left' : 'Nearly full'
  return (
    <span className="flex items-center gap-1.5 tabular-nums">
      <span>
        <BigNumber value={use.remaining} /> / <BigNumber value={use.capacity} />
      </span>
      {isNearlyFull(use) && (
        <span {...tooltip(warning)} className="text-amber-text">
          <TriangleAlert size={14} strokeWidth={1.5} role="img" aria-label={warning} />
        </span>
      )}
    </span>
  )
}
