import type { IpPoolUtilization } from '@steading/api/client'
import { type PoolUse, isNearlyFull, ipVersionName } from '@steading/api/rules'
import { TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { Percent } from '../../tenancy/utilization/capacity-bars.tsx'
import { Meter } from '../../tenancy/utilization/meter.tsx'
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

/** What is left of a pool, of how much, with a sign when it is nearly full. */
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

const percentOf = ({ allocated, capacity }: VersionUse): number | undefined =>
  capacity > 0n ? Number((allocated * 10_000n) / capacity) / 100 : undefined

/** How much of the addresses of one version is in use. */
export function CapacityBar({ use, unit }: { use: VersionUse; unit: string }) {
  const id = useId()
  const name = ipVersionName[use.version]
  return (
    <section aria-labelledby={id} className="overflow-hidden rounded-card border bg-raised">
      <header className="flex items-baseline gap-2 px-4 pt-3.5 pb-3">
        <h2 id={id} className="flex-1">
          <span className="font-medium">{name}</span>{' '}
          <span className="text-tertiary">({unit})</span>
        </h2>
        <Percent value={percentOf(use)} />
      </header>
      <div className="px-4 pb-4">
        <Meter
          label={`${name} allocated`}
          used={Number(use.allocated)}
          quota={Number(use.capacity)}
        />
      </div>
      <dl className="grid grid-cols-2 divide-x divide-line border-t">
        <Amount label="Allocated" value={use.allocated} />
        <Amount label="Capacity" value={use.capacity} />
      </dl>
    </section>
  )
}

const Amount = ({ label, value }: { label: string; value: bigint }) => (
  <div className="px-4 py-2.5">
    <dt className="text-xs text-secondary">{label}</dt>
    <dd className="text-base tabular-nums">
      <BigNumber value={value} />
    </dd>
  </div>
)
