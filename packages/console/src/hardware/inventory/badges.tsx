import type { PhysicalDiskPolicy, SledDetails, SledPolicy, SledState } from '@steading/api/client'
import { StateBadge } from '../../ui/state-badge.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { tooltip } from '../../ui/tooltip.tsx'

export const PolicyKind = ({ kind }: { kind: (SledPolicy | PhysicalDiskPolicy)['kind'] }) =>
  kind === 'in_service' ? (
    <StateBadge tone="works">In service</StateBadge>
  ) : (
    <StateBadge tone="off">Expunged</StateBadge>
  )

type ProvisionProps = { policy: SledPolicy } & Partial<Pick<SledDetails, 'maintenance'>>

/** Whether a sled takes instances; maintenance, with its reason, if that is why it takes none. */
export function ProvisionPolicy({ policy, maintenance }: ProvisionProps) {
  if (policy.kind === 'expunged') return <EmptyCell />
  if (maintenance) {
    return (
      <span className="flex" {...tooltip(maintenance.reason)}>
        <StateBadge tone="attention">Maintenance</StateBadge>
      </span>
    )
  }
  return policy.provisionPolicy === 'provisionable' ? (
    <StateBadge tone="works">Provisionable</StateBadge>
  ) : (
    <StateBadge tone="off">Not provisionable</StateBadge>
  )
}

export const LifeState = ({ state }: { state: SledState }) => (
  <StateBadge tone={state === 'active' ? 'works' : 'off'}>{state}</StateBadge>
)

/** Badge of a health state; undefined if the control plane does not report it. */
export const Health = ({ works, bad }: { works: boolean | undefined; bad: string }) =>
  works === undefined ? (
    <EmptyCell />
  ) : works ? (
    <StateBadge tone="works">OK</StateBadge>
  ) : (
    <StateBadge tone="failed">{bad}</StateBadge>
  )
