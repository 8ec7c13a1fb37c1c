import type { Kind } from '../../kinds/kind.ts'
import { operating } from '../../rules/roles.ts'
import { type SubnetPoolFilling, subnetPoolFillings, subnetPoolObstacles } from './rules.ts'

/** A pool as shown to users of the silos linked to it. */
export const subnet_pool = {
  access: {
    scope: 'silo',
    read: ['silo.user'],
    list: ['silo.viewer'],
    create: ['silo.user'],
    modify: [],
  },
  parent: 'silo',
  reads: ['silo_subnet_pool_list', 'project_subnet_pool_list'],
} as const satisfies Kind

/** A pool as shown to operators. */
export const system_subnet_pool = {
  type: 'subnet-pool',
  access: operating,
  parent: 'fleet',
  listed: true,
  reads: [
    'issue_list',
    'system_subnet_pool_member_list',
    'system_subnet_pool_silo_list',
    'system_subnet_pool_utilization_view',
    'silo_subnet_pool_list',
  ],
  bulk: ['delete'],
  deletion: {
    after: [],
    cascades: [],
    states: subnetPoolFillings,
    obstacle: ({ state }) => subnetPoolObstacles[state as SubnetPoolFilling],
  },
} as const satisfies Kind
