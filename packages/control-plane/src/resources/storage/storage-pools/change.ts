import { storagePoolMessages } from '@steading/api/rules'
import { sql, type Updateable } from 'kysely'
import { fail } from '../../../kernel/errors.ts'
import type { Work } from '../../../kernel/work.ts'
import type { PoolRow } from './choose.ts'
import type { StoragePoolTable } from './kind.ts'

/** Writes what an operator wants of a pool, which is then due. Steps in progress write nothing. */
export async function changePool(
  { db, now, emit, afterCommit, services }: Work,
  { id }: PoolRow,
  values: Updateable<StoragePoolTable>,
): Promise<PoolRow> {
  const time = now.toISOString()
  const row = await db
    .updateTable('storage_pool')
    .set({ ...values, generation: sql`generation + 1`, time_modified: time, reconcile_at: time })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit('storage_pool', 'update', row)
  afterCommit(async () => services.reconciler.wake('storage_pool'))
  return row
}

/** @throws ApiError 409 for a pool that is being removed */
export function requireStays({ state }: PoolRow): void {
  if (state === 'leaving') throw fail.conflict(storagePoolMessages.leaving)
}
