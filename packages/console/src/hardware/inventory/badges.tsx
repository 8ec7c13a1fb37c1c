import type { PhysicalDiskPolicy, SledPolicy, SledState } from '@steading/api/client'
import { StateBadge } from '../../ui/state-badge.tsx'
import { EmptyCell } from '../../ui/text.tsx'

export const PolicyKind = ({ kind }: { kind: (SledPolicy | PhysicalDiskPolicy)['kind'] }) =>
  kind === 'in_service' ? (
    <StateBadge tone="works">In service</StateBadge>
  ) : (
    <StateBadge tone="off">Expunged</StateBadge>
  )

export function ProvisionPolicy({ policy }: { policy: SledPolicy }) {
  if (policy.kind === 'expunged') return <EmptyCell />
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
