import type { FloatingIp, IpVersion } from '@steading/api/client'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import { ipVersion } from '../../compute/instances/external-ips.tsx'

/** All floating IPs of a project, to choose from. */
export const floatingIpsQuery = (project: string) =>
  apiQuery('floatingIpList', { query: { project, limit: ALL_ITEMS } })

/** Floating IPs that are not attached, of the versions an instance supports. */
export const availableFloatingIps = (
  ips: readonly FloatingIp[],
  versions: readonly IpVersion[],
): FloatingIp[] =>
  ips.filter(({ instanceId, ip }) => !instanceId && versions.includes(ipVersion(ip)))
