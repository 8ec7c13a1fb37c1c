import type { Kind } from '../rules/kind.ts'

export const subnet_pool = {
  type: 'subnet-pool',
  words: 'subnet pool',
  resource: 'subnet-pools',
  access: {
    scope: 'silo',
    read: ['silo.user'],
    list: ['silo.viewer'],
    create: ['silo.user'],
    modify: [],
  },
  parent: 'silo',
  reads: ['subnet_pool_list', 'subnet_pool_view'],
} as const satisfies Kind
