import type { BfdState } from '@steading/api/rules'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'

const tones: Record<BfdState, StateTone> = {
  admin_down: 'off',
  down: 'failed',
  init: 'changing',
  up: 'works',
}

export const BfdStateBadge = ({ state }: { state: BfdState }) => (
  <StateBadge tone={tones[state]}>{state.replaceAll('_', ' ')}</StateBadge>
)
