import type { ListDefinition } from '../../data/lists.ts'

export const externalSubnetListDefinition: ListDefinition<'externalSubnetList'> = {
  kind: 'external_subnet',
  id: 'external-subnets',
  operation: 'externalSubnetList',
  searched: 'externalSubnetSearch',
  filters: { attached: ['yes', 'no'], pool: 'names' },
}
