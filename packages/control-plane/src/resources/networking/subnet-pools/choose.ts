/** The subnet pools of a silo, and the choice of one (control plane 8.9). */
import type { Wire } from '@steading/api'
import { externalSubnetMessages, ipVersionName, isUuid, kinds } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { linkedPools } from '../pools/links.ts'
import { subnetPools } from './links.ts'

/** A pool, and its designation in messages. */
export interface ChosenPool {
  pool: Row<'system_subnet_pool'>
  called: string
}

const poolsOf = (db: Db, siloId: string) => linkedPools(db, subnetPools, siloId)

/**
 * The pool that a silo allocates from.
 * @throws ApiError 404 for a pool that is not linked to the silo, 400 if there is not exactly one
 *   default
 */
export async function chooseSubnetPool(
  db: Db,
  siloId: string,
  selector: Wire.PoolSelector,
): Promise<ChosenPool> {
  if (selector.type === 'explicit') {
    const byId = isUuid(selector.pool)
    const pool = await poolsOf(db, siloId)
      .where(byId ? 'its.id' : 'its.name', '=', selector.pool)
      .executeTakeFirst()
    const { type } = kinds.subnet_pool
    if (pool) {
      return { pool, called: `the subnet pool with ${byId ? 'ID' : 'name'} '${selector.pool}'` }
    }
    throw byId ? fail.notFoundById(type, selector.pool) : fail.notFoundByName(type, selector.pool)
  }
  const { ip_version } = selector
  let defaults = poolsOf(db, siloId).where('link.is_default', '=', 1)
  if (ip_version) defaults = defaults.where('its.ip_version', '=', ip_version)
  const [pool, another] = await defaults.execute()
  if (!pool) throw fail.invalidRequest(externalSubnetMessages.noDefault)
  if (another) throw fail.invalidRequest(externalSubnetMessages.severalDefaults)
  const version = ip_version ? `${ipVersionName[ip_version]} ` : ''
  return { pool, called: `the default ${version}subnet pool for the current silo` }
}

/** The member of a silo's pool that contains a range of addresses, with its pool. */
export const memberAround = (
  db: Db,
  siloId: string,
  ip_version: Wire.IpVersion,
  range: { first_key: string; last_key: string },
) =>
  poolsOf(db, siloId)
    .clearSelect()
    .innerJoin('subnet_pool_member as member', 'member.subnet_pool_id', 'its.id')
    .selectAll('member')
    // Keys of the two versions have different lengths and cannot be compared.
    .where('its.ip_version', '=', ip_version)
    .where('member.first_key', '<=', range.first_key)
    .where('member.last_key', '>=', range.last_key)
    .executeTakeFirst()
