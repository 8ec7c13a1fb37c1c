import type { PoolUse } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { keysBetween } from '../addresses/keys.ts'

type Pool = Pick<Row<'system_ip_pool'>, 'id' | 'ip_version' | 'allocated'>

/** Id of a pool → its capacity and use. */
export async function poolUses(db: Db, pools: readonly Pool[]): Promise<Map<string, PoolUse>> {
  const uses = new Map(
    pools.map(({ id, ip_version, allocated }): [string, PoolUse] => [
      id,
      { version: ip_version, capacity: 0n, allocated: BigInt(allocated) },
    ]),
  )
  if (uses.size === 0) return uses
  const ranges = await db
    .selectFrom('ip_pool_range')
    .select(['ip_pool_id', 'first_key', 'last_key'])
    .where('ip_pool_id', 'in', [...uses.keys()])
    .execute()
  for (const { ip_pool_id, first_key, last_key } of ranges) {
    uses.get(ip_pool_id)!.capacity += keysBetween(first_key, last_key)
  }
  return uses
}

export const poolUse = async (db: Db, pool: Pool): Promise<PoolUse> =>
  (await poolUses(db, [pool])).get(pool.id)!
