import { Ipv4Net, Ipv6Net } from '../../network.ts'
import { identity, identityCreate, identityUpdate, NameOrId, record, uuid } from '../../schema.ts'
import { InstanceNetworkInterface } from '../network-interfaces/schemas.ts'
import { usual } from '../../kinds/usual.ts'

const VpcSubnet = record('VpcSubnet', {
  ...identity,
  vpc_id: uuid,
  ipv4_block: Ipv4Net,
  ipv6_block: Ipv6Net,
  custom_router_id: uuid.nullable().optional(),
})

const VpcSubnetCreate = record('VpcSubnetCreate', {
  ...identityCreate,
  ipv4_block: Ipv4Net,
  /** Default: a random /64 of the VPC's prefix. */
  ipv6_block: Ipv6Net.nullable().optional(),
  custom_router: NameOrId.nullable().optional(),
})

const VpcSubnetUpdate = record('VpcSubnetUpdate', {
  ...identityUpdate,
  /** Null or absent for none. */
  custom_router: NameOrId.nullable().optional(),
})

export const subnetOperations = usual('vpc_subnet', {
  item: VpcSubnet,
  path: '/v1/vpc-subnets/{subnet}',
  tag: 'vpcs',
})({
  vpc_subnet_list: {},
  vpc_subnet_search: { columns: ['ipv4_block', 'ipv6_block'] },
  vpc_subnet_create: {
    summary: 'Create a subnet of a VPC',
    permission: { vpc: 'create', vpc_router: 'read' },
    body: VpcSubnetCreate,
  },
  vpc_subnet_view: {},
  vpc_subnet_update: {
    summary: 'Rename or describe a subnet, and set or remove its custom router',
    permission: { vpc_subnet: 'modify', vpc_router: 'read' },
    body: VpcSubnetUpdate,
  },
  vpc_subnet_delete: { summary: 'Delete a subnet without network interfaces' },
  vpc_subnet_list_network_interfaces: {
    route: 'GET network-interfaces',
    summary: 'List the network interfaces in a subnet',
    permission: { vpc_subnet: 'list' },
    pages: InstanceNetworkInterface,
  },
  vpc_subnet_deletion: {},
})
