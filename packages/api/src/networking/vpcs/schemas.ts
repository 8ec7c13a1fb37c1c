import { Ipv6Net, wantedIpv6Net } from '../../network.ts'
import {
  identity,
  identityCreate,
  identityUpdate,
  Name,
  record,
  uint64,
  uuid,
} from '../../schema.ts'

const vpc = {
  ...identity,
  project_id: uuid,
  system_router_id: uuid,
  ipv6_prefix: Ipv6Net,
  dns_name: Name,
}
export const Vpc = record('Vpc', vpc)

/** A VPC in a searched list. */
export const ListedVpc = record('ListedVpc', { ...vpc, firewall_rule_count: uint64 })

export const VpcCreate = record('VpcCreate', {
  ...identityCreate,
  dns_name: Name,
  /** Default: a random unique local prefix. */
  ipv6_prefix: wantedIpv6Net.nullable().optional(),
})
export const VpcUpdate = record('VpcUpdate', {
  ...identityUpdate,
  dns_name: Name.nullable().optional(),
})
