import { readdir } from 'node:fs/promises'
import { claimSetting, type ControlPlane, DATA_TOKEN, readSetting } from '@steading/control-plane'
import { ensureToken, ifMissing, tokenIn } from '@steading/files'
import type { ServerConfig } from './config.ts'
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
 * Where the disks are elsewhere, each server may have a directory of its own: one without a token
 * gets that of the database. Only its time series cannot be there, because each server would answer
 * with its own.
 *
 * @param disksElsewhere whether no contents of disks are in the data directory
 * @throws StartError if it is another directory
 */
export async function proveDataDirectory(
  { data: directory, metricsUrl }: Pick<ServerConfig, 'data' | 'metricsUrl'>,
  db: Db,
  disksElsewhere: boolean,
): Promise<void> {
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
  } else if (here === undefined && disksElsewhere) {
    if (metricsUrl === undefined) {
      throw new StartError(
        `the data directory ${directory} is not that of the first server; ` +
          'servers with data directories of their own keep their time series in VictoriaMetrics: start all of them with --metrics-url',
      )
    }
    if ((await ensureToken(directory, expected)) !== expected) throw wrong
  } else if (here !== expected) throw wrong
}
