import type { ListDefinition } from '../../data/lists.ts'

export const subnetListDefinition: ListDefinition<'vpcSubnetList'> = {
  kind: 'vpc_subnet',
  id: 'vpc-subnets',
  operation: 'vpcSubnetList',
  searched: 'vpcSubnetSearch',
}
