import { addressBits, type IpVersion, parseNetwork, type PoolUse } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'

type Pool = Pick<Row<'system_subnet_pool'>, 'id' | 'ip_version'>

/** The number of addresses in a network. */
const sizeOf = (version: IpVersion, length: number): bigint =>
  1n << BigInt(addressBits[version] - length)

/** Id of a pool → number of its addresses in use. */
export async function subnetPoolUses(
  db: Db,
  pools: readonly Pool[],
): Promise<Map<string, PoolUse>> {
  const uses = new Map(
    pools.map(({ id, ip_version }): [string, PoolUse] => [
      id,
      { version: ip_version, capacity: 0n, allocated: 0n },
    ]),
  )
  if (uses.size === 0) return uses
  const ids = [...uses.keys()]
  const members = await db
    .selectFrom('subnet_pool_member')
    .select(['subnet_pool_id', 'subnet'])
    .where('subnet_pool_id', 'in', ids)
    .execute()
  for (const { subnet_pool_id, subnet } of members) {
    const use = uses.get(subnet_pool_id)!
    use.capacity += sizeOf(use.version, parseNetwork(subnet)!.width)
  }
  const allocated = await db
    .selectFrom('external_subnet')
    .select(({ fn }) => ['subnet_pool_id', 'prefix_length', fn.countAll<number>().as('count')])
    .where('subnet_pool_id', 'in', ids)
    .groupBy(['subnet_pool_id', 'prefix_length'])
    .execute()
  for (const { subnet_pool_id, prefix_length, count } of allocated) {
    const use = uses.get(subnet_pool_id)!
    use.allocated += sizeOf(use.version, prefix_length) * BigInt(count)
  }
  return uses
}

export const subnetPoolUse = async (db: Db, pool: Pool): Promise<PoolUse> =>
  (await subnetPoolUses(db, [pool])).get(pool.id)!
