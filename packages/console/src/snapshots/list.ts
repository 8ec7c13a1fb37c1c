import { snapshotStates } from '@steading/api/rules'
import type { ListDefinition } from '../data/lists.ts'

export const snapshotListDefinition: ListDefinition<'snapshotList'> = {
  id: 'snapshots',
  operation: 'snapshotList',
  searched: 'snapshotSearch',
  filters: { state: snapshotStates.filter((state) => state !== 'destroyed') },
}
