import { storagePoolMessages } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import type { Work } from '../../../kernel/work.ts'
import { changePool, requireStays } from './change.ts'
import type { PoolRow } from './choose.ts'
import { countHeld } from './held.ts'

/** @throws ApiError 409 while something needs the pool */
export async function removePool(work: Work, pool: PoolRow): Promise<void> {
  const { db } = work
  requireStays(pool)
  if (pool.built_in === 1) throw fail.conflict(storagePoolMessages.builtIn)
  if (pool.is_default === 1) throw fail.conflict(storagePoolMessages.isDefault)
  const silo = await rowsOf(db, 'silo')
    .select('its.name')
    .where('its.storage_pool_id', '=', pool.id)
    .executeTakeFirst()
  if (silo) throw fail.conflict(storagePoolMessages.ofSilo(silo.name))
  const { disks: held, snapshots } = await countHeld(db, pool.id)
  if (held + snapshots > 0) {
    throw fail.conflict(storagePoolMessages.holdsDisks(held, snapshots))
  }
  await changePool(work, pool, { state: 'leaving' })
}
