import { instanceIsTransitioning, type InstanceState } from '@steading/api/rules'
import { Badge, type BadgeColor } from '../ui/badge.tsx'

const colors: Record<InstanceState, BadgeColor> = {
  creating: 'accent',
  starting: 'blue',
  running: 'accent',
  rebooting: 'blue',
  stopping: 'neutral',
  stopped: 'neutral',
  migrating: 'violet',
  repairing: 'amber',
  failed: 'red',
  destroyed: 'red',
}

export function InstanceStateBadge({ state }: { state: InstanceState }) {
  return (
    <Badge color={colors[state]} transitional={instanceIsTransitioning(state)}>
      {state}
    </Badge>
  )
}
