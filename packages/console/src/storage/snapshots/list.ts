import { snapshotStates } from '@steading/api/rules'
import type { ListDefinition } from '../../data/lists.ts'

export const snapshotListDefinition: ListDefinition<'snapshotList'> = {
  kind: 'snapshot',
  id: 'snapshots',
  operation: 'snapshotList',
  searched: 'snapshotSearch',
  filters: { state: snapshotStates.filter((state) => state !== 'destroyed') },
}
