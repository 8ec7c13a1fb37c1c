/** The pools of a silo, and the choice of one (control plane 8.7). */
import type { Wire } from '@steading/api'
import {
  type Address,
  formatAddress,
  type IpVersion,
  ipVersionName,
  isUuid,
  parseAddress,
} from '@steading/api/rules'
import type { Selectable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { IpPoolTable } from '../ip-pools/table.ts'
import { fail } from '../../../kernel/errors.ts'
import { addressKey } from '../addresses/keys.ts'

export type PoolRow = Selectable<IpPoolTable>

/** The pools that are linked to a silo. */
export function poolsOf(db: Db, siloId: string) {
  return db
    .selectFrom('ip_pool as pool')
    .innerJoin('ip_pool_silo_link as link', 'link.ip_pool_id', 'pool.id')
    .selectAll('pool')
    .where('link.silo_id', '=', siloId)
    .where('pool.time_deleted', 'is', null)
}

export async function defaultPool(
  db: Db,
  siloId: string,
  version?: IpVersion | null,
): Promise<PoolRow> {
  let query = poolsOf(db, siloId)
    .where('link.is_default', '=', 1)
    .where('pool.pool_type', '=', 'unicast')
  if (version) query = query.where('pool.ip_version', '=', version)
  const pools = await query.execute()
  if (pools.length === 0) {
    throw fail.notFoundOther(
      `default unicast ${version ? ipVersionName[version] : 'IP'} pool for current silo`,
    )
  }
  if (pools.length > 1) {
    throw fail.invalidRequest(
      'Multiple default unicast IP pools exist with different IP versions. Please specify ip_version (v4 or v6) or provide an explicit pool.',
    )
  }
  return pools[0]!
}

function unicast(pool: PoolRow): PoolRow {
  if (pool.pool_type === 'unicast') return pool
  throw fail.invalidRequest(`Pool '${pool.name}' is not a unicast pool (type: ${pool.pool_type})`)
}

/** @throws ApiError 404 for a pool that is not linked to the silo, 400 for one of the wrong type */
export async function selectPool(
  db: Db,
  siloId: string,
  selector: Wire.PoolSelector,
): Promise<PoolRow> {
  if (selector.type === 'auto') return defaultPool(db, siloId, selector.ip_version)
  const byId = isUuid(selector.pool)
  const pool = await poolsOf(db, siloId)
    .where(byId ? 'pool.id' : 'pool.name', '=', selector.pool)
    .executeTakeFirst()
  if (!pool) {
    throw byId
      ? fail.notFoundById('ip-pool', selector.pool)
      : fail.notFoundByName('ip-pool', selector.pool)
  }
  return unicast(pool)
}

/** The pool of a silo that contains an address. */
export function linkedPoolOf(
  db: Db,
  siloId: string,
  address: Address,
): Promise<PoolRow | undefined> {
  const key = addressKey(address)
  return (
    poolsOf(db, siloId)
      .innerJoin('ip_pool_range as range', 'range.ip_pool_id', 'pool.id')
      // Keys of the two versions have different lengths and cannot be compared.
      .where('pool.ip_version', '=', address.version)
      .where('range.first_key', '<=', key)
      .where('range.last_key', '>=', key)
      .executeTakeFirst()
  )
}

/** The pool that contains an address, and the key of the address. */
export async function poolOfAddress(
  db: Db,
  siloId: string,
  ip: string,
): Promise<{ pool: PoolRow; key: string }> {
  const address = parseAddress(ip)!
  const pool = await linkedPoolOf(db, siloId, address)
  if (!pool) {
    throw fail.invalidRequest(`IP address ${formatAddress(address)} is not in any configured pool`)
  }
  return { pool: unicast(pool), key: addressKey(address) }
}
