import type { VirtualResourceCounts } from '@steading/api/client'
import { useId } from 'react'
import { BigNumber } from '../../ui/big-number.tsx'
import { upToTwo } from '../../ui/number.ts'
import { inUnit, percentOf, type Resource, resources } from './amounts.ts'
import { Meter } from './meter.tsx'

type Amounts = {
  provisioned: VirtualResourceCounts | undefined
  quota: VirtualResourceCounts | undefined
  quotaLabel: string
}

/** Use of quotas, in a card for each resource. */
export const CapacityBars = ({ provisioned, quota, quotaLabel }: Amounts) => (
  <div className="grid gap-4 px-(--gutter) md:grid-cols-3">
    {resources.map((resource) => (
      <CapacityBar
        key={resource.name}
        resource={resource}
        used={provisioned?.[resource.name]}
        quota={quota?.[resource.name]}
        quotaLabel={quotaLabel}
      />
    ))}
  </div>
)

type BarProps = {
  resource: Resource
  used: number | undefined
  quota: number | undefined
  quotaLabel: string
}

function CapacityBar({ resource, used, quota, quotaLabel }: BarProps) {
  const id = useId()
  const known = used !== undefined && quota !== undefined
  return (
    <section aria-labelledby={id} className="overflow-hidden rounded-card border bg-raised">
      <header className="flex items-baseline gap-2 px-4 pt-3.5 pb-3">
        <h2 id={id} className="flex-1">
          <span className="label font-medium">{resource.label}</span>{' '}
          <span className="text-tertiary">({resource.unit})</span>
        </h2>
        <Percent value={known ? percentOf(used, quota) : undefined} />
      </header>
      <div className="px-4 pb-4">
        <Meter label={`${resource.label} used`} used={used ?? 0} quota={quota ?? 0} />
      </div>
      <dl className="grid grid-cols-2 divide-x divide-line border-t">
        <Amount label="Provisioned" resource={resource} amount={used} />
        <Amount label={quotaLabel} resource={resource} amount={quota} />
      </dl>
    </section>
  )
}

/**
 * Splits a formatted number into its integer part and its decimals with their separator, if
 * any.
 */
function splitDecimals(value: number): { whole: string; decimals: string } {
  const parts = upToTwo.formatToParts(value)
  const isDecimal = ({ type }: Intl.NumberFormatPart) => type === 'decimal' || type === 'fraction'
  const text = (of: Intl.NumberFormatPart[]) => of.map((part) => part.value).join('')
  return {
    whole: text(parts.filter((part) => !isDecimal(part))),
    decimals: text(parts.filter(isDecimal)),
  }
}

/** Emphasizes the integer part; without a quota there is no percentage. */
export function Percent({ value }: { value: number | undefined }) {
  const { whole, decimals } =
    value === undefined ? { whole: '—', decimals: '' } : splitDecimals(value)
  return (
    <span className="text-number leading-6 font-semibold tracking-[-0.02em] tabular-nums">
      {whole}
      <span className="text-sm font-normal tracking-normal text-tertiary">{decimals}%</span>
    </span>
  )
}

type AmountProps = { label: string; resource: Resource; amount: number | undefined }

const Amount = ({ label, resource, amount }: AmountProps) => (
  <div className="px-4 py-2.5">
    <dt className="text-xs text-secondary">{label}</dt>
    <dd className="text-base tabular-nums">
      {amount === undefined ? (
        <span className="text-tertiary">—</span>
      ) : (
        <>
          <BigNumber value={inUnit(resource, amount)} />
          {!resource.isCount && <span className="text-tertiary"> {resource.unit}</span>}
        </>
      )}
    </dd>
  </div>
)
