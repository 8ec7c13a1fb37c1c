import { SearchText } from '../../searched.ts'
import { ipPoolAssignments, ipPoolTypes } from './rules.ts'
import {
  IpPool,
  IpPoolAddress,
  IpPoolAssignment,
  IpPoolAssignParam,
  IpPoolCreate,
  ipPoolLinks,
  IpPoolRange,
  IpPoolType,
  IpPoolUpdate,
  IpPoolUtilization,
  IpPoolWithUtilization,
  IpRange,
  IpVersion,
  SiloIpPool,
} from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

const modify = { system_ip_pool: 'modify' } as const

/** Operations on the pool of system services, for clients older than the assignments of pools. */
const ofServices = { audited: { kind: 'system_ip_pool' } } as const

export const systemIpPoolOperations = {
  ...usual('system_ip_pool', { item: IpPool, path: '/v1/system/ip-pools/{pool}' })({
    system_ip_pool_list: {
      summary: 'List the IP pools of the fleet',
      query: {
        ip_version: IpVersion.optional(),
        pool_type: IpPoolType.optional(),
        assignment: IpPoolAssignment.optional(),
      },
    },
    system_ip_pool_search: {
      pages: IpPoolWithUtilization,
      filters: {
        version: ['v4', 'v6'],
        type: ipPoolTypes,
        assignment: ipPoolAssignments,
      },
    },
    system_ip_pool_create: { body: IpPoolCreate },
    system_ip_pool_view: {},
    system_ip_pool_update: { body: IpPoolUpdate },
    system_ip_pool_delete: { summary: 'Delete an IP pool without ranges, with its links to silos' },
    system_ip_pool_deletion: {},
    system_ip_pool_assign: {
      route: 'POST assignment',
      summary: 'Assign an IP pool to silos or to system services',
      body: IpPoolAssignParam,
      success: { status: 200, schema: IpPool },
    },
    system_ip_pool_range_list: {
      route: 'GET ranges',
      summary: 'List the ranges of an IP pool by their first address',
      pages: IpPoolRange,
      sort: 'none',
    },
    system_ip_pool_range_add: {
      route: 'POST ranges/add',
      summary: 'Add a range of addresses to an IP pool',
      body: IpRange,
      success: { status: 201, schema: IpPoolRange },
    },
    system_ip_pool_range_remove: {
      route: 'POST ranges/remove',
      summary: 'Remove a range without addresses in use from an IP pool',
      body: IpRange,
      success: { status: 204 },
    },
    system_ip_pool_silo_list: {
      route: 'GET silos',
      summary: 'List the silos that an IP pool is linked to',
      pages: ipPoolLinks.SiloLink,
      sort: 'id',
    },
    system_ip_pool_silo_link: {
      route: 'POST silos',
      summary: 'Link an IP pool to a silo, so that its users can allocate addresses from it',
      permission: { ...modify, silo: 'read' },
      body: ipPoolLinks.LinkSilo,
      success: { status: 201, schema: ipPoolLinks.SiloLink },
    },
    system_ip_pool_silo_update: {
      route: 'PUT silos/{silo}',
      summary: 'Set whether an IP pool is a default of a silo',
      permission: { ...modify, silo: 'read' },
      body: ipPoolLinks.SiloUpdate,
      answer: ipPoolLinks.SiloLink,
    },
    system_ip_pool_silo_unlink: {
      route: 'DELETE silos/{silo}',
      summary: 'Unlink an IP pool from a silo that uses none of its addresses',
      permission: { ...modify, silo: 'read' },
    },
    system_ip_pool_utilization_view: {
      route: 'GET utilization',
      summary: 'Show the utilization of an IP pool',
      answer: IpPoolUtilization,
    },
    system_ip_pool_address_list: {
      route: 'GET addresses',
      extension: true,
      summary: 'List the addresses of an IP pool in use, with their owners',
      query: { search: SearchText.optional() },
      pages: IpPoolAddress,
      sort: 'none',
    },
  }),
  ...usual('silo', { path: '/v1/system/silos/{silo}' })({
    silo_ip_pool_list: {
      route: 'GET ip-pools',
      summary: 'List the IP pools linked to a silo',
      permission: { silo: 'read', system_ip_pool: 'list' },
      pages: SiloIpPool,
    },
  }),
  ...usual('system_ip_pool', {
    item: IpPool,
    id: 'ip_pool_service',
    path: '/v1/system/ip-pools-service',
    tag: 'system/ip-pools',
  })({
    ip_pool_service_view: { summary: 'Show the IP pool of system services' },
    ip_pool_service_range_list: {
      route: 'GET ranges',
      summary: 'List the ranges of the IP pool of system services',
      pages: IpPoolRange,
      sort: 'none',
    },
    ip_pool_service_range_add: {
      route: 'POST ranges/add',
      summary: 'Add a range of addresses to the IP pool of system services',
      ...ofServices,
      body: IpRange,
      success: { status: 201, schema: IpPoolRange },
    },
    ip_pool_service_range_remove: {
      route: 'POST ranges/remove',
      summary: 'Remove a range from the IP pool of system services',
      ...ofServices,
      body: IpRange,
      success: { status: 204 },
    },
  }),
}
