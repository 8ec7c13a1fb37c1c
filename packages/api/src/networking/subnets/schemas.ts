import { Ipv4Net, Ipv6Net } from '../../network.ts'
import { identity, identityCreate, identityUpdate, NameOrId, record, uuid } from '../../schema.ts'

export const VpcSubnet = record('VpcSubnet', {
  ...identity,
  vpc_id: uuid,
  ipv4_block: Ipv4Net,
  ipv6_block: Ipv6Net,
  custom_router_id: uuid.nullable().optional(),
})

export const VpcSubnetCreate = record('VpcSubnetCreate', {
  ...identityCreate,
  ipv4_block: Ipv4Net,
  /** Default: a random /64 of the VPC's prefix. */
  ipv6_block: Ipv6Net.nullable().optional(),
  custom_router: NameOrId.nullable().optional(),
})

export const VpcSubnetUpdate = record('VpcSubnetUpdate', {
  ...identityUpdate,
  /** Null or absent for none. */
  custom_router: NameOrId.nullable().optional(),
})
