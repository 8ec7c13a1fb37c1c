import type { StoragePool } from '@steading/api/client'
import type { StoragePoolState, StoragePoolType } from '@steading/api/rules'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'

const looks: Record<StoragePoolState, { tone: StateTone; word: string }> = {
  checking: { tone: 'changing', word: 'Checking' },
  healthy: { tone: 'works', word: 'Healthy' },
  unreachable: { tone: 'failed', word: 'Unreachable' },
  leaving: { tone: 'changing', word: 'Leaving' },
}

export function PoolStateBadge({ state }: Pick<StoragePool, 'state'>) {
  const { tone, word } = looks[state]
  return (
    <StateBadge tone={tone} transitional={tone === 'changing'}>
      {word}
    </StateBadge>
  )
}

export const poolTypeLabel: Record<StoragePoolType, string> = {
  physical_disks: 'Physical disks',
  directory: 'Directory',
  nfs: 'NFS',
  glusterfs: 'GlusterFS',
}
