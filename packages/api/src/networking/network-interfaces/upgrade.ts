import { ipVersion } from '../../rules/ip.ts'
import { isJsonObject } from '../../describe-json.ts'
import type { SchemaChange } from '../../versions.ts'

/**
 * Clients older than dual-stack interfaces (2026010300) give one address, or null for any, and
 * transit IPs at the top level.
 */
function upgradeInterfaceCreate(body: unknown): unknown {
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

const DUAL_STACK = 2026010300

export const interfaceCreateChange: SchemaChange = {
  until: DUAL_STACK,
  upgradeRequest: upgradeInterfaceCreate,
}

/** The default interface used to have one IPv4 address. */
export const defaultInterfaceChange: SchemaChange = {
  until: DUAL_STACK,
  upgradeRequest: (wanted) =>
    isJsonObject(wanted) && wanted.type === 'default' ? { type: 'default_ipv4' } : wanted,
}
