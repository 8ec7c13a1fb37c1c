/** The pools of disks: which one a new disk is in, and which one a row means. */
import type { Wire } from '@steading/api'
import { isUuid, storagePoolMessages } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { notFound } from '../../../kernel/lookup.ts'

export type PoolRow = Row<'storage_pool'>

/** The id of a pool for the engine, which knows its first one without an id. */
export const engineIdOf = ({ id, built_in }: Pick<PoolRow, 'id' | 'built_in'>): string | null =>
  built_in === 1 ? null : id

/** The value of `storage_pool_id` in the rows of disks and snapshots: null for physical disks. */
export const storedIdOf = ({ id, type }: Pick<PoolRow, 'id' | 'type'>): string | null =>
  type === 'physical_disks' ? null : id

const pools = (db: Db) => rowsOf(db, 'storage_pool').selectAll()

/**
 * A pool that a user names. Users of all silos may name all pools.
 * @throws ApiError 404
 */
export async function findPool(db: Db, selector: string): Promise<PoolRow> {
  const pool = await pools(db)
    .where(isUuid(selector) ? 'its.id' : 'its.name', '=', selector)
    .executeTakeFirst()
  if (!pool) throw notFound('storage_pool', selector)
  return pool
}

/**
 * The pools that a user names for the disks of a new instance.
 * @param made names of the disks that are created with it
 * @throws ApiError 400 for another disk, and for one that is named twice
 */
export async function poolsOfDisks(
  db: Db,
  wanted: Wire.PlacedInstanceCreate['disk_pools'],
  made: readonly string[],
): Promise<ReadonlyMap<string, PoolRow>> {
  const found = new Map<string, PoolRow>()
  for (const { disk, pool } of wanted) {
    if (!made.includes(disk))
      throw fail.invalidValue('disk_pools', storagePoolMessages.notNew(disk))
    if (found.has(disk)) throw fail.invalidValue('disk_pools', storagePoolMessages.twoPools(disk))
    found.set(disk, await findPool(db, pool))
  }
  return found
}

/** The pool in which a disk or a snapshot is, by its column. */
export const poolOf = (db: Db, storedId: string | null): Promise<PoolRow> =>
  (storedId === null
    ? pools(db).where('its.built_in', '=', 1)
    : pools(db).where('its.id', '=', storedId)
  ).executeTakeFirstOrThrow()

/** The pool of the new disks of a silo. */
export async function defaultPoolOf(db: Db, siloId: string): Promise<PoolRow> {
  const chosen = await pools(db)
    .where('its.id', '=', (eb) =>
      eb.selectFrom('silo').select('silo.storage_pool_id').where('silo.id', '=', siloId),
    )
    .executeTakeFirst()
  return chosen ?? pools(db).where('its.is_default', '=', 1).executeTakeFirstOrThrow()
}

/** @throws ApiError 503 for a pool that takes no disks at present */
export function requireReady({ name, state }: PoolRow): void {
  if (state === 'healthy') return
  throw fail.unavailable(storagePoolMessages.notReady(name, state))
}
