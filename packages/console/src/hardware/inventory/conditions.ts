import type { PhysicalDiskCondition, SledCondition } from '@steading/api/rules'
import type { StateTone } from '../../ui/state-badge.tsx'

export const sledTones: Record<SledCondition, StateTone> = {
  in_service: 'works',
  not_provisionable: 'off',
  updating: 'changing',
  not_responding: 'failed',
  expunged: 'off',
}

export const physicalDiskTones: Record<PhysicalDiskCondition, StateTone> = {
  in_service: 'works',
  failed: 'failed',
  expunged: 'off',
}
