import { type IpPoolFilling, ipPoolFillings, ipPoolObstacles } from './rules.ts'
import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'

/** A pool as shown to users of the silos linked to it. */
export const ip_pool = {
  words: 'IP pool',
  access: {
    scope: 'silo',
    read: ['silo.user'],
    list: ['silo.viewer'],
    create: ['silo.user'],
    modify: [],
  },
  parent: 'silo',
  reads: ['silo_ip_pool_list', 'project_ip_pool_list'],
} as const satisfies Kind

/** A pool as shown to operators. */
export const system_ip_pool = {
  type: 'ip-pool',
  words: 'IP pool',
  access: operating,
  parent: 'fleet',
  listed: true,
  reads: [
    'issue_list',
    'system_ip_pool_range_list',
    'system_ip_pool_silo_list',
    'system_ip_pool_utilization_view',
    'system_ip_pool_address_list',
    'ip_pool_service_view',
    'ip_pool_service_range_list',
    'silo_ip_pool_list',
    'project_overview',
  ],
  bulk: ['delete'],
  deletion: {
    after: [],
    cascades: [],
    states: ipPoolFillings,
    obstacle: ({ state }) => ipPoolObstacles[state as IpPoolFilling],
  },
} as const satisfies Kind
