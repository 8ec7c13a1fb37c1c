/** Data directories whose machines are in libvirt; a database belongs to one of them at a time. */
import { type OpenDatabase, readSetting, writeSetting } from '@steading/control-plane/engine'
import type { Log } from '@steading/control-plane/ports'
import './machine-tables.ts'

export const OWNER_KEY = 'libvirt_owner'

/**
 * Records the data directory of a database. A database that was restored from a backup has a new
 * one, and the machines of the old one are not its own: their domains may be on another host, or may
 * still run for the old one.
 */
export async function settleOwner(
  { transaction }: Pick<OpenDatabase, 'transaction'>,
  owner: string,
  log: Log,
): Promise<void> {
  const left = await transaction(async (tx) => {
    const known = await readSetting(tx, OWNER_KEY)
    if (known === owner) return 0
    await writeSetting(tx, OWNER_KEY, owner)
    // Databases of earlier versions do not name theirs.
    if (known === undefined) return 0
    const removed = await tx.deleteFrom('libvirt_machine').returning('id').execute()
    return removed.length
  })
  if (left > 0) log(`machines of the data directory before the restore are left to it: ${left}`)
}
