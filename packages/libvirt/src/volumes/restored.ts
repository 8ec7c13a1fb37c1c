/**
 * A database that was restored from a backup. All layers are in the first directory then, and the
 * directories of the other storage pools may still be those of the database before, which goes on.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type OpenDatabase, readSetting, writeSetting } from '@steading/control-plane/engine'
import { ifMissing, RESTORED_FILE } from '@steading/files'
import '../tables.ts'
import { createRows } from './rows.ts'

/** The restore to which the rows were adapted. */
const RESTORED_KEY = 'libvirt_restored'

/** The id of the restore that has filled the directory of this database; undefined without one. */
export const knownRestore = ({ db }: Pick<OpenDatabase, 'db'>): Promise<string | undefined> =>
  readSetting(db, RESTORED_KEY)

/**
 * Adapts the rows to a restore, once: all volumes are in the first pool, and each other pool has a new
 * token, so that it takes an empty directory only.
 */
export async function adaptToRestore(database: OpenDatabase, directory: string): Promise<void> {
  const text = await readFile(join(directory, RESTORED_FILE), 'utf8').catch(ifMissing(undefined))
  const restore = text?.trim()
  if (restore === undefined || (await knownRestore(database)) === restore) return
  const { forgetTransfer } = createRows(database)
  await database.transaction(async (tx) => {
    // Another server may have done it meanwhile.
    if ((await readSetting(tx, RESTORED_KEY)) === restore) return
    const transfers = await tx.selectFrom('libvirt_transfer').select('volume_id').execute()
    // Their files are removed as those of layers without a row.
    for (const { volume_id: volume } of transfers) await forgetTransfer(tx, volume)
    for (const table of ['libvirt_layer', 'libvirt_volume'] as const) {
      await tx.updateTable(table).set({ pool_id: null }).where('pool_id', 'is not', null).execute()
    }
    const pools = await tx.selectFrom('libvirt_pool').select('id').execute()
    for (const { id } of pools) {
      await tx
        .updateTable('libvirt_pool')
        .set({ token: crypto.randomUUID(), made: 0 })
        .where('id', '=', id)
        .execute()
    }
    await writeSetting(tx, RESTORED_KEY, restore)
  })
}
