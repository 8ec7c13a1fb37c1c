import type { Snapshot } from '@steading/api/client'
import { snapshotIsTransitioning } from '@steading/api/rules'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'

const tones: Record<Snapshot['state'], StateTone> = {
  creating: 'changing',
  ready: 'works',
  destroyed: 'failed',
  faulted: 'failed',
}

export const SnapshotStateBadge = ({ state }: Pick<Snapshot, 'state'>) => (
  <StateBadge tone={tones[state]} transitional={snapshotIsTransitioning(state)}>
    {state}
  </StateBadge>
)
