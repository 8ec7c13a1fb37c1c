import type { ListDefinition } from '../../../data/lists.ts'

export const systemSubnetPoolListDefinition: ListDefinition<'systemSubnetPoolList'> = {
  kind: 'system_subnet_pool',
  id: 'system-subnet-pools',
  operation: 'systemSubnetPoolList',
  searched: 'systemSubnetPoolSearch',
  filters: { version: ['v4', 'v6'] },
}
