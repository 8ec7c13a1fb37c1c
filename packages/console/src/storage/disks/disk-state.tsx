import type { Disk } from '@steading/api/client'
import { diskIsTransitioning, type DiskStateName } from '@steading/api/rules'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { Tag } from '../../ui/tag.tsx'

const tones: Record<DiskStateName, StateTone> = {
  creating: 'changing',
  attaching: 'changing',
  attached: 'works',
  detaching: 'changing',
  detached: 'off',
  import_ready: 'attention',
  importing_from_url: 'changing',
  importing_from_bulk_writes: 'changing',
  finalizing: 'changing',
  maintenance: 'attention',
  destroyed: 'failed',
  faulted: 'failed',
}

export function DiskStateBadge({ state: { state } }: Pick<Disk, 'state'>) {
  return (
    <StateBadge tone={tones[state]} transitional={diskIsTransitioning(state)}>
      {state.replaceAll('_', ' ')}
    </StateBadge>
  )
}

export const ReadOnlyTag = () => <Tag>Read only</Tag>

export const diskTypeLabel = { distributed: 'Distributed', local: 'Local' } as const
