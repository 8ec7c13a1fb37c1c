import type { Wire } from '@steading/api'
import { type IpRange, type IpVersion, parseAddress, type PoolUse } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import type { Database, Flag } from '../../../kernel/db/schema.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { addressKey, addressOfKey, versionOfKey } from '../addresses/keys.ts'
import type { KeyRange } from '../addresses/space.ts'
import { toWireRemaining } from '../pools/utilization.ts'

type PoolRow = Row<'system_ip_pool'>
export type RangeRow = Selectable<Database['ip_pool_range']>

export const toWireIpPool = (row: PoolRow): Wire.IpPool => ({
  ...identityOf(row),
  ip_version: row.ip_version,
  pool_type: row.pool_type,
  assignment: row.assignment,
})

export const toWireSiloIpPool = (row: PoolRow & { is_default: Flag }): Wire.SiloIpPool => {
  const { assignment: _, ...pool } = toWireIpPool(row)
  return { ...pool, is_default: row.is_default === 1 }
}

export const keysOf = (range: IpRange): KeyRange => ({
  first_key: addressKey(parseAddress(range.first)!),
  last_key: addressKey(parseAddress(range.last)!),
})

export const rangeOf = ({ first_key, last_key }: KeyRange): IpRange => ({
  first: addressOfKey(first_key, versionOfKey(first_key)),
  last: addressOfKey(last_key, versionOfKey(last_key)),
})

export const toWireRange = (row: RangeRow): Wire.IpPoolRange => ({
  id: row.id,
  ip_pool_id: row.ip_pool_id,
  range: rangeOf(row),
  time_created: row.time_created,
})

const counts = ({ version, capacity, allocated }: PoolUse, of: IpVersion) =>
  of === version ? { capacity, allocated } : { capacity: 0n, allocated: 0n }

export function toWireUtilization(use: PoolUse): Wire.IpPoolUtilization {
  const [v4, v6] = [counts(use, 'v4'), counts(use, 'v6')]
  return {
    ...toWireRemaining(use),
    ipv4: { allocated: Number(v4.allocated), capacity: Number(v4.capacity) },
    ipv6: { allocated: String(v6.allocated), capacity: String(v6.capacity) },
  }
}
