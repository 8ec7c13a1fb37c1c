import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'
import { unlessDeleting, type VpcParams } from '../vpcs/queries.ts'

export const subnetListDefinition: ListDefinition<'vpcSubnetList'> = {
  kind: 'vpc_subnet',
  id: 'vpc-subnets',
  operation: 'vpcSubnetList',
}

export const vpcSubnetsQuery = ({ project, vpc }: VpcParams) => ({
  ...apiQuery('vpcSubnetList', { query: { project, vpc, limit: ALL_ITEMS } }),
  ...unlessDeleting({ project, vpc }),
})

export const subnetArgs = ({ project, vpc, subnet }: VpcParams & { subnet: string }) => ({
  path: { subnet },
  query: { project, vpc },
})

export const subnetQuery = (params: VpcParams & { subnet: string }) =>
  apiQuery('vpcSubnetView', subnetArgs(params))
