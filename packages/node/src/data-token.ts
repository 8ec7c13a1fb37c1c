import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ControlPlane, DATA_TOKEN } from '@steading/control-plane'
import { errorCode, ifMissing, writeNew } from '@steading/files'
import { StartError } from './errors.ts'
import { volumesDirectory } from './volumes/names.ts'

const FILE = 'token'

type Db = ControlPlane['database']['db']

const tokenInDatabase = async (db: Db): Promise<string | undefined> => {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('key', '=', DATA_TOKEN)
    .executeTakeFirst()
  return row?.value
}

/** The token in a directory; undefined if there is none. */
export const tokenIn = (directory: string): Promise<string | undefined> =>
  readFile(join(directory, FILE), 'utf8').then((text) => text.trim(), ifMissing(undefined))

/** Token of a directory, created if there is none. */
async function ensureToken(directory: string): Promise<string> {
  try {
    await writeNew(join(directory, FILE), `${crypto.randomUUID()}\n`)
  } catch (error) {
    // Another server that is starting has written its token first.
    if (errorCode(error) !== 'EEXIST') throw error
  }
  return (await tokenIn(directory))!
}

const hasVolumes = (directory: string): Promise<boolean> =>
  readdir(volumesDirectory(directory)).then((names) => names.length > 0, ifMissing(false))

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
  let expected = await tokenInDatabase(db)
  if (expected === undefined) {
    if (here !== undefined && (await hasVolumes(directory))) throw wrong
    const token = await ensureToken(directory)
    await db
      .insertInto('setting')
      .values({ key: DATA_TOKEN, value: token })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    expected = await tokenInDatabase(db)
    if (token !== expected) throw wrong
    return
  }
  if (here !== expected) throw wrong
}
