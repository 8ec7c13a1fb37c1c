import {
  SiloSubnetPool,
  SubnetPool,
  SubnetPoolCreate,
  subnetPoolLinks,
  SubnetPoolMember,
  SubnetPoolMemberAdd,
  SubnetPoolMemberRemove,
  SubnetPoolUpdate,
  SubnetPoolUtilization,
  SubnetPoolWithUtilization,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const modify = { system_subnet_pool: 'modify' } as const

export const systemSubnetPoolOperations = {
  ...usual('system_subnet_pool', { item: SubnetPool, path: '/v1/system/subnet-pools/{pool}' })({
    list: { summary: 'List the subnet pools of the fleet' },
    search: { pages: SubnetPoolWithUtilization, filters: { version: ['v4', 'v6'] } },
    create: { body: SubnetPoolCreate },
    view: {},
    update: { body: SubnetPoolUpdate },
    delete: { summary: 'Delete a subnet pool without members, with its links to silos' },
    deletion: {},
    member_list: {
      route: 'GET members',
      summary: 'List the members of a subnet pool by their first address',
      pages: SubnetPoolMember,
      sort: 'none',
    },
    member_add: {
      route: 'POST members/add',
      summary: 'Add a range of addresses to a subnet pool',
      body: SubnetPoolMemberAdd,
      success: { status: 201, schema: SubnetPoolMember },
    },
    member_remove: {
      route: 'POST members/remove',
      summary: 'Remove a member without external subnets from a subnet pool',
      body: SubnetPoolMemberRemove,
      success: { status: 204 },
    },
    silo_list: {
      route: 'GET silos',
      summary: 'List the silos that a subnet pool is linked to',
      pages: subnetPoolLinks.SiloLink,
      sort: 'id',
    },
    silo_link: {
      route: 'POST silos',
      summary: 'Link a subnet pool to a silo, so that its users can allocate subnets from it',
      permission: { ...modify, silo: 'read' },
      body: subnetPoolLinks.LinkSilo,
      success: { status: 201, schema: subnetPoolLinks.SiloLink },
    },
    silo_update: {
      route: 'PUT silos/{silo}',
      summary: 'Set whether a subnet pool is a default of a silo',
      permission: { ...modify, silo: 'read' },
      body: subnetPoolLinks.SiloUpdate,
      answer: subnetPoolLinks.SiloLink,
    },
    silo_unlink: {
      route: 'DELETE silos/{silo}',
      summary: 'Unlink a subnet pool from a silo that uses none of its subnets',
      permission: { ...modify, silo: 'read' },
    },
    utilization_view: {
      route: 'GET utilization',
      summary: 'Show the utilization of a subnet pool',
      answer: SubnetPoolUtilization,
    },
  }),
  ...usual('silo', { path: '/v1/system/silos/{silo}' })({
    subnet_pool_list: {
      route: 'GET subnet-pools',
      summary: 'List the subnet pools linked to a silo',
      permission: { silo: 'read', system_subnet_pool: 'list' },
      pages: SiloSubnetPool,
    },
  }),
}
