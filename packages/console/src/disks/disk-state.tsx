import type { Disk } from '@steading/api/client'
import { diskIsTransitioning, type DiskStateName } from '@steading/api/rules'
import { Badge, type BadgeColor } from '../ui/badge.tsx'

const colors: Record<DiskStateName, BadgeColor> = {
  attached: 'accent',
  creating: 'accent',
  attaching: 'blue',
  detaching: 'blue',
  import_ready: 'blue',
  finalizing: 'blue',
  detached: 'neutral',
  importing_from_url: 'violet',
  importing_from_bulk_writes: 'violet',
  maintenance: 'amber',
  destroyed: 'red',
  faulted: 'red',
}

export function DiskStateBadge({ state: { state } }: Pick<Disk, 'state'>) {
  return (
    <Badge color={colors[state]} transitional={diskIsTransitioning(state)}>
      {state.replaceAll('_', ' ')}
    </Badge>
  )
}

export const ReadOnlyBadge = () => <Badge icon={false}>Read only</Badge>

export const diskTypeLabel = { distributed: 'Distributed', local: 'Local' } as const
