import { instanceIsTransitioning, type InstanceState } from '@steading/api/rules'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'

export const instanceTone: Record<InstanceState, StateTone> = {
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
    <StateBadge tone={instanceTone[state]} transitional={instanceIsTransitioning(state)}>
      {state}
    </StateBadge>
  )
}
