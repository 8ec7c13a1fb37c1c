import { isJsonObject } from '../disks/upgrade.ts'
import { ipVersion } from '../rules/ip.ts'

/**
 * Clients from before dual-stack interfaces (2026010300) give one address, or null for any, and
 * transit IPs at the top level.
 */
export function upgradeInterfaceCreate(body: unknown): unknown {
  if (!isJsonObject(body) || 'ip_config' in body) return body
  if (!('ip' in body) && !('transit_ips' in body)) return body
  const { ip, transit_ips, ...rest } = body
  const type = typeof ip === 'string' && ipVersion(ip) === 'v6' ? 'v6' : 'v4'
  const chosen =
    ip === undefined || ip === null ? { type: 'auto' } : { type: 'explicit', value: ip }
  return {
    ...rest,
    ip_config: { type, value: { ip: chosen, ...(transit_ips ? { transit_ips } : {}) } },
  }
}
