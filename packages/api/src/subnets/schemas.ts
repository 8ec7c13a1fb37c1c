import { Ipv4Net, Ipv6Net } from '../network.ts'
import { identity, record, resultsPage, uuid } from '../schema.ts'

export const VpcSubnet = record('VpcSubnet', {
  ...identity,
  vpc_id: uuid,
  ipv4_block: Ipv4Net,
  ipv6_block: Ipv6Net,
  custom_router_id: uuid.nullable().optional(),
})
export const VpcSubnetResultsPage = resultsPage('VpcSubnet', VpcSubnet)
