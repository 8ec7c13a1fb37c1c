import type { ListDefinition } from '../../../data/lists.ts'

export const systemIpPoolListDefinition: ListDefinition<'systemIpPoolList'> = {
  kind: 'system_ip_pool',
  id: 'system-ip-pools',
  operation: 'systemIpPoolList',
  searched: 'systemIpPoolSearch',
  filters: { version: ['v4', 'v6'], type: ['unicast', 'multicast'] },
}

/** Pools of system services have no page: nothing of them is given to silos. */
export const ofSilos = { assignment: 'silos' } as const
