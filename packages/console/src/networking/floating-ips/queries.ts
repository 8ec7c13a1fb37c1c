import type { FloatingIp, IpVersion } from '@steading/api/client'
import { ipVersion } from '../../compute/instances/external-ips.tsx'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const floatingIpListDefinition: ListDefinition<'floatingIpList'> = {
  kind: 'floating_ip',
  id: 'floating-ips',
  operation: 'floatingIpList',
  filters: { attached: ['yes', 'no'], pool: 'names' },
}

/** All floating IPs of a project, for pickers. */
export const floatingIpsQuery = (project: string) =>
  apiQuery('floatingIpList', { query: { project, limit: ALL_ITEMS } })

/** Detached floating IPs of the IP versions an instance supports. */
export const availableFloatingIps = (
  ips: readonly FloatingIp[],
  versions: readonly IpVersion[],
): FloatingIp[] =>
  ips.filter(({ instanceId, ip }) => !instanceId && versions.includes(ipVersion(ip)))
