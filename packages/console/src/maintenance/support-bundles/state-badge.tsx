import type { SupportBundleState } from '@steading/api/rules'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'

const tones: Record<SupportBundleState, StateTone> = {
  collecting: 'changing',
  active: 'works',
  destroying: 'changing',
  failed: 'failed',
}

export const BundleStateBadge = ({ state }: { state: SupportBundleState }) => (
  <StateBadge tone={tones[state]}>{state}</StateBadge>
)
