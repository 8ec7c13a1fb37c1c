import { instanceStates } from '@steading/api/rules'
import type { ListDefinition } from '../data/lists.ts'

export const instanceListDefinition: ListDefinition<'instanceList'> = {
  id: 'instances',
  operation: 'instanceList',
  searched: 'instanceSearch',
  filters: { state: instanceStates.filter((state) => state !== 'destroyed') },
}
