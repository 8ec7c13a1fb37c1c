import type { ListDefinition } from '../../data/lists.ts'

export const floatingIpListDefinition: ListDefinition<'floatingIpList'> = {
  kind: 'floating_ip',
  id: 'floating-ips',
  operation: 'floatingIpList',
  searched: 'floatingIpSearch',
  filters: { attached: ['yes', 'no'], pool: 'names' },
}
