import type { Disk } from '@steading/api/client'
import {
  CD_BLOCK_SIZE,
  CD_MEANING,
  diskIsTransitioning,
  type DiskStateName,
} from '@steading/api/rules'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { Tag } from '../../ui/tag.tsx'

export const diskTones: Record<DiskStateName, StateTone> = {
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
    <StateBadge tone={diskTones[state]} transitional={diskIsTransitioning(state)}>
      {state.replaceAll('_', ' ')}
    </StateBadge>
  )
}

/** Explains the use of an image with the blocks of a CD. */
export const CdHint = ({ image }: { image: { blockSize: number } | undefined }) =>
  image?.blockSize === CD_BLOCK_SIZE && <p className="text-xs text-secondary">{CD_MEANING}</p>

export const ReadOnlyTag = () => <Tag>Read only</Tag>

export const diskTypeLabel = { distributed: 'Distributed', local: 'Local' } as const
