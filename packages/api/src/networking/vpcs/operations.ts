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
import { usual } from '../../kinds/usual.ts'

const vpc = {
  ...identity,
  project_id: uuid,
  system_router_id: uuid,
  ipv6_prefix: Ipv6Net,
  dns_name: Name,
}
const Vpc = record('Vpc', vpc)

/** A VPC in a searched list. */
const ListedVpc = record('ListedVpc', { ...vpc, firewall_rule_count: uint64 })

const VpcCreate = record('VpcCreate', {
  ...identityCreate,
  dns_name: Name,
  /** Default: a random unique local prefix. */
  ipv6_prefix: wantedIpv6Net.nullable().optional(),
})
const VpcUpdate = record('VpcUpdate', {
  ...identityUpdate,
  dns_name: Name.nullable().optional(),
})

export const vpcOperations = usual('vpc', { item: Vpc })({
  vpc_list: {},
  vpc_search: { pages: ListedVpc, columns: ['dns_name'] },
  vpc_create: {
    summary: 'Create a VPC with its default subnet, router, gateway and firewall rules',
    // Networks require a stronger role than other contents of a project, so the VPC's row decides.
    permission: { project: 'read', vpc: 'modify' },
    body: VpcCreate,
    changes: ['vpc_subnet'],
  },
  vpc_view: {},
  vpc_update: { summary: 'Rename or describe a VPC, or change its DNS name', body: VpcUpdate },
  vpc_delete: { summary: 'Delete a VPC that has no subnets' },
  vpc_deletion: {},
})
