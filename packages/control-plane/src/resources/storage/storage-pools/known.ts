/** Storage pools as a backup lists them, beside the database in it. */
import { FIRST_STORAGE_POOL } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'

/** A pool besides the first one, as a backup knows it. */
export interface KnownPool {
  id: string
  name: string
  path: string | null
}

export interface KnownPools {
  /** Name of the first pool. */
  first: string
  others: KnownPool[]
}

export async function knownPools(db: Db): Promise<KnownPools> {
  const pools = await db
    .selectFrom('storage_pool')
    .select(['id', 'name', 'path', 'built_in'])
    .where('time_deleted', 'is', null)
    .orderBy('name')
    .execute()
  return {
    first: pools.find((pool) => pool.built_in === 1)?.name ?? FIRST_STORAGE_POOL,
    others: pools
      .filter((pool) => pool.built_in === 0)
      .map(({ id, name, path }) => ({ id, name, path })),
  }
}
