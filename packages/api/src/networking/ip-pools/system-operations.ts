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
    list: {
      summary: 'List the IP pools of the fleet',
      query: {
        ip_version: IpVersion.optional(),
        pool_type: IpPoolType.optional(),
        assignment: IpPoolAssignment.optional(),
      },
    },
    search: {
      pages: IpPoolWithUtilization,
      filters: {
        version: ['v4', 'v6'],
        type: ipPoolTypes,
        assignment: ipPoolAssignments,
      },
    },
    create: { body: IpPoolCreate },
    view: {},
    update: { body: IpPoolUpdate },
    delete: { summary: 'Delete an IP pool without ranges, with its links to silos' },
    deletion: {},
    assign: {
      route: 'POST assignment',
      summary: 'Assign an IP pool to silos or to system services',
      body: IpPoolAssignParam,
      success: { status: 200, schema: IpPool },
    },
    range_list: {
      route: 'GET ranges',
      summary: 'List the ranges of an IP pool by their first address',
      pages: IpPoolRange,
      sort: 'none',
    },
    range_add: {
      route: 'POST ranges/add',
      summary: 'Add a range of addresses to an IP pool',
      body: IpRange,
      success: { status: 201, schema: IpPoolRange },
    },
    range_remove: {
      route: 'POST ranges/remove',
      summary: 'Remove a range without addresses in use from an IP pool',
      body: IpRange,
      success: { status: 204 },
    },
    silo_list: {
      route: 'GET silos',
      summary: 'List the silos that an IP pool is linked to',
      pages: ipPoolLinks.SiloLink,
      sort: 'id',
    },
    silo_link: {
      route: 'POST silos',
      summary: 'Link an IP pool to a silo, so that its users can allocate addresses from it',
      permission: { ...modify, silo: 'read' },
      body: ipPoolLinks.LinkSilo,
      success: { status: 201, schema: ipPoolLinks.SiloLink },
    },
    silo_update: {
      route: 'PUT silos/{silo}',
      summary: 'Set whether an IP pool is a default of a silo',
      permission: { ...modify, silo: 'read' },
      body: ipPoolLinks.SiloUpdate,
      answer: ipPoolLinks.SiloLink,
    },
    silo_unlink: {
      route: 'DELETE silos/{silo}',
      summary: 'Unlink an IP pool from a silo that uses none of its addresses',
      permission: { ...modify, silo: 'read' },
    },
    utilization_view: {
      route: 'GET utilization',
      summary: 'Show the utilization of an IP pool',
      answer: IpPoolUtilization,
    },
    address_list: {
      route: 'GET addresses',
      extension: true,
      summary: 'List the addresses of an IP pool in use, with their owners',
      query: { search: SearchText.optional() },
      pages: IpPoolAddress,
      sort: 'none',
    },
  }),
  ...usual('silo', { path: '/v1/system/silos/{silo}' })({
    ip_pool_list: {
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
    view: { summary: 'Show the IP pool of system services' },
    range_list: {
      route: 'GET ranges',
      summary: 'List the ranges of the IP pool of system services',
      pages: IpPoolRange,
      sort: 'none',
    },
    range_add: {
      route: 'POST ranges/add',
      summary: 'Add a range of addresses to the IP pool of system services',
      ...ofServices,
      body: IpRange,
      success: { status: 201, schema: IpPoolRange },
    },
    range_remove: {
      route: 'POST ranges/remove',
      summary: 'Remove a range from the IP pool of system services',
      ...ofServices,
      body: IpRange,
      success: { status: 204 },
    },
  }),
}
