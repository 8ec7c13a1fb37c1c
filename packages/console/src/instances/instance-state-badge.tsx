import { instanceIsTransitioning, type InstanceState } from '@steading/api/rules'
import { StateBadge, type StateTone } from '../ui/state-badge.tsx'

const tones: Record<InstanceState, StateTone> = {
  creating: 'changing',
  starting: 'changing',
  running: 'works',
  rebooting: 'changing',
  stopping: 'changing',
  stopped: 'off',
  migrating: 'changing',
  repairing: 'attention',
  failed: 'failed',
  destroyed: 'failed',
}

export function InstanceStateBadge({ state }: { state: InstanceState }) {
  return (
    <StateBadge tone={tones[state]} transitional={instanceIsTransitioning(state)}>
      {state}
    </StateBadge>
  )
}
