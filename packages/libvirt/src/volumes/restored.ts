/**
 * A database that was restored from a backup. The layers of some storage pools are in new directories
 * then, and all others in the first one. The directories that pools had before may still be those of
 * the database before, which goes on.
 */
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Db,
  type OpenDatabase,
  readSetting,
  type Tx,
  writeSetting,
} from '@steading/control-plane/engine'
import { ifThere, parseRestored, type Restored, restoredIn, syncDirectory } from '@steading/files'
import '../tables.ts'
import { nameOf } from './layer-files.ts'
import { createRows } from './rows.ts'

/** The restore to which the rows were adapted. */
const RESTORED_KEY = 'libvirt_restored'

/** The restore that has filled the directories of this database; undefined without one. */
export async function knownRestore(db: Db): Promise<Restored | undefined> {
  const text = await readSetting(db, RESTORED_KEY)
  return text === undefined ? undefined : parseRestored(text)
}

/**
 * Gives the layers in new directories their paths in the first one. The directories may be out of
 * reach.
 */
async function revealLayers(db: Db, directory: string, pools: Restored['pools']): Promise<void> {
  const layers = await db
    .selectFrom('libvirt_layer')
    .select(['id', 'pool_id'])
    .where('made', '=', 1)
    .where('pool_id', 'in', Object.keys(pools))
    .execute()
  for (const { id, pool_id: pool } of layers) {
    const name = nameOf(id)
    await symlink(join(pools[pool!]!.path, name), join(directory, name)).catch(ifThere(undefined))
  }
  await syncDirectory(directory)
}

/** Each pool without a new directory gets a new token, so that it takes an empty directory only. */
async function adaptPools(tx: Tx, restored: Restored['pools']): Promise<void> {
  const pools = await tx.selectFrom('libvirt_pool').select('id').execute()
  for (const { id } of pools.filter((pool) => !(pool.id in restored))) {
    await tx
      .updateTable('libvirt_pool')
      .set({ token: crypto.randomUUID(), made: 0 })
      .where('id', '=', id)
      .execute()
  }
  for (const [id, { path, token }] of Object.entries(restored)) {
    const place = { path, token, made: 1 as const }
    await tx
      .insertInto('libvirt_pool')
      .values({ id, ...place })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(place))
      .execute()
  }
}

/** Adapts the rows to a restore, once. */
export async function adaptToRestore(database: OpenDatabase, directory: string): Promise<void> {
  const restored = await restoredIn(directory)
  if (restored === undefined || (await knownRestore(database.db))?.id === restored.id) return
  const { id, pools } = restored
  const kept = Object.keys(pools)
  if (kept.length > 0) await revealLayers(database.db, directory, pools)
  const { forgetTransfer } = createRows(database)
  await database.transaction(async (tx) => {
    // Another server may have done it meanwhile.
    if ((await knownRestore(tx))?.id === id) return
    const transfers = await tx.selectFrom('libvirt_transfer').select('volume_id').execute()
    // Their files are removed as those of layers without a row.
    for (const { volume_id: volume } of transfers) await forgetTransfer(tx, volume)
    for (const table of ['libvirt_layer', 'libvirt_volume'] as const) {
      await tx
        .updateTable(table)
        .set({ pool_id: null })
        .where('pool_id', 'is not', null)
        .$if(kept.length > 0, (update) => update.where('pool_id', 'not in', kept))
        .execute()
    }
    await adaptPools(tx, pools)
    await writeSetting(tx, RESTORED_KEY, JSON.stringify(restored))
  })
}
