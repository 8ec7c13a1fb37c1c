import { readdir } from 'node:fs/promises'
import { claimSetting, type ControlPlane, DATA_TOKEN, readSetting } from '@steading/control-plane'
import { ensureToken, ifMissing, tokenIn } from '@steading/files'
import { StartError } from './errors.ts'
import { isUnfinished, volumesDirectory } from './volumes/names.ts'

type Db = ControlPlane['database']['db']

const hasVolumes = (directory: string): Promise<boolean> =>
  readdir(volumesDirectory(directory)).then((names) => !names.every(isUnfinished), ifMissing(false))

/**
 * Ensures that the data directory belongs to the database: servers on one database share its
 * directory, which holds the contents of disks. Both contain the same token.
 *
 * The first server writes the token into the directory, and then into the database. A server that
 * died in between has left a directory with a token and without volumes.
 *
 * @throws StartError if it is another directory
 */
export async function proveDataDirectory(directory: string, db: Db): Promise<void> {
  const wrong = new StartError(
    `the data directory ${directory} does not belong to this database; ` +
      'servers on one database share the data directory of the first',
  )
  const here = await tokenIn(directory)
  const expected = await readSetting(db, DATA_TOKEN)
  if (expected === undefined) {
    if (here !== undefined && (await hasVolumes(directory))) throw wrong
    const token = await ensureToken(directory)
    if (token !== (await claimSetting(db, DATA_TOKEN, token))) throw wrong
  } else if (here !== expected) throw wrong
}
