import { upgradePoolChoice } from '../ip-pools/upgrade.ts'
import { ParseError } from '../../parse.ts'
import { isJsonObject } from '../../describe-json.ts'
import type { SchemaChange } from '../../versions.ts'

/**
 * Clients older than allocators (2026012200) give the address, or the selection of a pool, at the
 * top level.
 * @throws ParseError for an address together with a version
 */
function upgradeFloatingIpCreate(body: unknown): unknown {
  if (!isJsonObject(body) || 'address_allocator' in body) return body
  const { ip, pool, ip_version, pool_selector, ...rest } = body
  if (ip === undefined || ip === null) {
    const choice = upgradePoolChoice({
      pool,
      ip_version,
      ...(pool_selector ? { pool_selector } : {}),
    })
    return { ...rest, address_allocator: { type: 'auto', ...(choice as object) } }
  }
  if (ip_version !== undefined && ip_version !== null) {
    throw new ParseError(
      'cannot specify both `ip` and `ip_version`; the IP version is determined by the explicit IP address',
    )
  }
  // An address is in one pool at most, so no selection is needed.
  return { ...rest, address_allocator: { type: 'explicit', ip } }
}

export const addressAllocatorChange: SchemaChange = {
  until: 2026012200,
  upgradeRequest: upgradeFloatingIpCreate,
}
