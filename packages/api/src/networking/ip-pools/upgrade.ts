import { ParseError } from '../../parse.ts'
import { isJsonObject } from '../../describe-json.ts'
import type { SchemaChange } from '../../versions.ts'

const given = (value: unknown): boolean => value !== undefined && value !== null

/**
 * Clients older than tagged selectors (2026010500) name the pool, or the version, at the top level.
 * Ignoring that would give them an address of another pool than they asked for.
 * @throws ParseError for both at once
 */
export function upgradePoolChoice(body: unknown): unknown {
  if (!isJsonObject(body) || 'pool_selector' in body) return body
  const { pool, ip_version, ...rest } = body
  if (given(pool) && given(ip_version)) {
    throw new ParseError(
      'cannot specify both `pool` and `ip_version`; `ip_version` is only used when allocating from the default pool',
    )
  }
  if (given(pool)) return { ...rest, pool_selector: { type: 'explicit', pool } }
  return given(ip_version) ? { ...rest, pool_selector: { type: 'auto', ip_version } } : rest
}

export const poolSelectorChange: SchemaChange = {
  until: 2026010500,
  upgradeRequest: upgradePoolChoice,
}
