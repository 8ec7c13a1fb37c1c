import { Ipv6Net } from '../network.ts'
import { identity, Name, record, resultsPage, uuid } from '../schema.ts'

export const Vpc = record('Vpc', {
  ...identity,
  project_id: uuid,
  system_router_id: uuid,
  ipv6_prefix: Ipv6Net,
  dns_name: Name,
})
export const VpcResultsPage = resultsPage('Vpc', Vpc)
