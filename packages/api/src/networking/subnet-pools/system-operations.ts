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
    system_subnet_pool_list: { summary: 'List the subnet pools of the fleet' },
    system_subnet_pool_search: {
      pages: SubnetPoolWithUtilization,
      filters: { version: ['v4', 'v6'] },
    },
    system_subnet_pool_create: { body: SubnetPoolCreate },
    system_subnet_pool_view: {},
    system_subnet_pool_update: { body: SubnetPoolUpdate },
    system_subnet_pool_delete: {
      summary: 'Delete a subnet pool without members, with its links to silos',
    },
    system_subnet_pool_deletion: {},
    system_subnet_pool_member_list: {
      route: 'GET members',
      summary: 'List the members of a subnet pool by their first address',
      pages: SubnetPoolMember,
      sort: 'none',
    },
    system_subnet_pool_member_add: {
      route: 'POST members/add',
      summary: 'Add a range of addresses to a subnet pool',
      body: SubnetPoolMemberAdd,
      success: { status: 201, schema: SubnetPoolMember },
    },
    system_subnet_pool_member_remove: {
      route: 'POST members/remove',
      summary: 'Remove a member without external subnets from a subnet pool',
      body: SubnetPoolMemberRemove,
      success: { status: 204 },
    },
    system_subnet_pool_silo_list: {
      route: 'GET silos',
      summary: 'List the silos that a subnet pool is linked to',
      pages: subnetPoolLinks.SiloLink,
      sort: 'id',
    },
    system_subnet_pool_silo_link: {
      route: 'POST silos',
      summary: 'Link a subnet pool to a silo, so that its users can allocate subnets from it',
      permission: { ...modify, silo: 'read' },
      body: subnetPoolLinks.LinkSilo,
      success: { status: 201, schema: subnetPoolLinks.SiloLink },
    },
    system_subnet_pool_silo_update: {
      route: 'PUT silos/{silo}',
      summary: 'Set whether a subnet pool is a default of a silo',
      permission: { ...modify, silo: 'read' },
      body: subnetPoolLinks.SiloUpdate,
      answer: subnetPoolLinks.SiloLink,
    },
    system_subnet_pool_silo_unlink: {
      route: 'DELETE silos/{silo}',
      summary: 'Unlink a subnet pool from a silo that uses none of its subnets',
      permission: { ...modify, silo: 'read' },
    },
    system_subnet_pool_utilization_view: {
      route: 'GET utilization',
      summary: 'Show the utilization of a subnet pool',
      answer: SubnetPoolUtilization,
    },
  }),
  ...usual('silo', { path: '/v1/system/silos/{silo}' })({
    silo_subnet_pool_list: {
      route: 'GET subnet-pools',
      summary: 'List the subnet pools linked to a silo',
      permission: { silo: 'read', system_subnet_pool: 'list' },
      pages: SiloSubnetPool,
    },
  }),
}
