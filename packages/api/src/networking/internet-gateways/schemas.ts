import { ip } from '../../network.ts'
import { identity, identityCreate, list, NameOrId, record, uint64, uuid } from '../../schema.ts'

const gateway = { ...identity, vpc_id: uuid }
export const InternetGateway = record('InternetGateway', gateway)
export const InternetGatewayCreate = record('InternetGatewayCreate', identityCreate)

export const InternetGatewayIpPool = record('InternetGatewayIpPool', {
  ...identity,
  internet_gateway_id: uuid,
  ip_pool_id: uuid,
})
export const InternetGatewayIpPoolCreate = record('InternetGatewayIpPoolCreate', {
  ...identityCreate,
  ip_pool: NameOrId,
})

export const InternetGatewayIpAddress = record('InternetGatewayIpAddress', {
  ...identity,
  internet_gateway_id: uuid,
  address: ip,
})
export const InternetGatewayIpAddressCreate = record('InternetGatewayIpAddressCreate', {
  ...identityCreate,
  address: ip,
})

/** A gateway in a searched list, with its parts. */
export const ListedInternetGateway = record('ListedInternetGateway', {
  ...gateway,
  ip_pools: list(InternetGatewayIpPool),
  ip_addresses: list(InternetGatewayIpAddress),
  /** Number of routes, in any router of the VPC, that lead to the gateway. */
  route_count: uint64,
})
