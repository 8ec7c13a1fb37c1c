import { ipVersionName } from '@steading/api/rules'
import { useId } from 'react'
import { BigNumber } from '../../ui/big-number.tsx'
import { Percent } from '../../tenancy/utilization/capacity-bars.tsx'
import { Meter } from '../../tenancy/utilization/meter.tsx'
import type { VersionUse } from './use.ts'

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
