import type { Snapshot } from '@steading/api/client'
import { snapshotIsTransitioning } from '@steading/api/rules'
import { Badge, type BadgeColor } from '../ui/badge.tsx'

const colors: Record<Snapshot['state'], BadgeColor> = {
  creating: 'accent',
  ready: 'accent',
  destroyed: 'neutral',
  faulted: 'red',
}

export const SnapshotStateBadge = ({ state }: Pick<Snapshot, 'state'>) => (
  <Badge color={colors[state]} transitional={snapshotIsTransitioning(state)}>
    {state}
  </Badge>
)
