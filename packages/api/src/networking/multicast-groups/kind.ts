import type { Kind } from '../../kinds/kind.ts'

/**
 * A group belongs to the fleet, because instances of several silos may be its members. It is
 * created with its first member and deleted with its last, so no operation does either.
 */
export const multicast_group = {
  access: { scope: 'fleet', read: ['any.user'], list: ['any.user'], create: [], modify: [] },
  parent: 'fleet',
  listed: true,
  reads: [
    'issue_list',
    'multicast_group_member_list',
    'multicast_group_member_details_list',
    'instance_multicast_group_list',
    'system_ip_pool_utilization_view',
    'system_ip_pool_address_list',
  ],
} as const satisfies Kind
