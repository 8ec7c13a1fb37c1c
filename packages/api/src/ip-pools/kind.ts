import type { Kind } from '../rules/kind.ts'

export const ip_pool = {
  type: 'ip-pool',
  words: 'IP pool',
  resource: 'ip-pools',
  access: {
    scope: 'silo',
    read: ['silo.user'],
    list: ['silo.viewer'],
    create: ['silo.user'],
    modify: ['fleet.admin'],
  },
  parent: 'silo',
  reads: ['ip_pool_list', 'ip_pool_view'],
} as const satisfies Kind
