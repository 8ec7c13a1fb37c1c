import { sledPolicyKinds, sledStates } from '@steading/api/rules'
import type { ListDefinition } from '../../data/lists.ts'

export const sledListDefinition: ListDefinition<'sledList'> = {
  kind: 'sled',
  id: 'sleds',
  operation: 'sledList',
  plainSorts: [],
  searched: 'sledSearch',
  filters: { policy: sledPolicyKinds, state: sledStates },
}

export const physicalDiskListDefinition: ListDefinition<'physicalDiskList'> = {
  kind: 'physical_disk',
  id: 'physical-disks',
  operation: 'physicalDiskList',
  plainSorts: [],
  searched: 'physicalDiskSearch',
  filters: { policy: sledPolicyKinds, state: sledStates },
}
