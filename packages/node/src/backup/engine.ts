/** The files of an engine in a backup. */
import { existsSync } from 'node:fs'
import {
  inspectDatabase,
  type KnownPools,
  knownPools,
  openDatabase as openTables,
  partWith,
} from '@steading/control-plane'
import type { EngineBackup } from '@steading/control-plane/ports'
import type { ServerConfig } from '../config.ts'
import { databasePath, openDatabase } from '../database.ts'
import { createEngine, engineNameOf } from '../engine.ts'
import { StartError } from '../errors.ts'
import type { Frozen } from './databases.ts'

/** How often the engine prepares, if machines and disks change all the time. */
const ATTEMPTS = 10

export interface OpenEngineBackup extends EngineBackup {
  /** The storage pools by the database of this moment. */
  pools: () => Promise<KnownPools>
}

/**
 * Begins the backup of the engine to which the database belongs.
 * @returns undefined if that engine keeps no files of its own
 * @throws StartError
 */
export async function openEngineBackup(
  config: ServerConfig,
): Promise<OpenEngineBackup | undefined> {
  const path = databasePath(config)
  if (path !== undefined && !existsSync(path)) return undefined
  const host = await openDatabase(config)
  const owner = await engineNameOf(host)
  const { engine } = await createEngine({ ...config, engine: owner ?? 'simulated' }, host)
  const { state } = await inspectDatabase(host, engine, [], new Date())
  const begin = partWith(engine, 'volumes')?.backup
  if (!begin) return undefined
  if (state === 'another engine') {
    throw new StartError(
      'the disks of real machines can be backed up only with the options of the server: give them to this command as well',
    )
  }
  if (state !== 'current') {
    throw new StartError(
      'the disks of real machines can be backed up only by the version of the server: ' +
        'start this version once, or make the backup with the one that runs',
    )
  }
  const database = await openTables(await openDatabase(config), engine)
  const backup = begin({ database })
  return {
    ...backup,
    pools: () => knownPools(database.db),
    async close() {
      await backup.close()
      await database.close()
    },
  }
}

/**
 * Freezes the database at a moment at which the files of the engine are taken as well.
 * @param freeze nobody can write to the database after it
 * @throws StartError
 */
export async function freezeWith(
  backup: EngineBackup | undefined,
  freeze: () => Promise<Frozen>,
): Promise<Frozen> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await backup?.prepare()
    const frozen = await freeze()
    try {
      if (!backup || (await backup.take())) return frozen
    } catch (error) {
      await frozen.close()
      throw error
    }
    await frozen.close()
  }
  throw new StartError('machines and disks are being changed all the time; try again')
}
