import { link, mkdir, readdir, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { existsSync } from 'node:fs'
import {
  copySparse,
  errorCode,
  errorMessage,
  ifMissing,
  isNoSpace,
  linkOrCopy,
} from '@steading/files'
import type { KnownPools } from '@steading/control-plane'
import {
  BackupError,
  BusyBytes,
  EngineStartError,
  NoSpaceError,
} from '@steading/control-plane/ports'
import type { ServerConfig } from '../config.ts'
import { type DataLock, tryLock } from '../data-lock.ts'
import { StartError } from '../errors.ts'
import { isFull } from '../sqlite.ts'
import { timeSeriesDirectory } from '../time-series.ts'
import { isLog, isUnfinished, MACHINES, volumesDirectory } from '../volumes/names.ts'
import { Ownership } from '../volumes/ownership.ts'
import { type Source, writeArchive } from './archive.ts'
import { freeze } from './databases.ts'
import { freezeWith, openEngineBackup, type OpenEngineBackup } from './engine.ts'
import { poolListFile } from './pool-list.ts'
import { linkTimeSeries } from '@steading/time-series'

/** Directory of the contents until they are written. After a crash, the next backup replaces it. */
const STAGE = '.backup'

/**
 * Keeps other backups away from a stage, also those that other servers of the cloud make.
 * @throws StartError
 */
function lockStage(directory: string): DataLock {
  const lock = tryLock(join(directory, STAGE))
  if (lock) return lock
  throw new StartError('another backup is being made; try again when it has ended')
}

/**
 * Copies the volumes at this moment by hard links, each while no server works with it: a write to a
 * file with several links replaces it by a copy.
 */
async function linkVolumes(from: string, to: string): Promise<void> {
  await mkdir(to)
  const volumes = await readdir(from).catch(ifMissing(undefined))
  if (!volumes) return
  const ownership = new Ownership(from)
  await ownership.open()
  try {
    for (const volume of volumes.filter((name) => !isUnfinished(name))) {
      await ownership.run([volume], () => linkVolume(join(from, volume), join(to, volume)))
    }
  } finally {
    await ownership.close()
  }
}

async function linkVolume(from: string, to: string): Promise<void> {
  const names = await readdir(from).catch(ifMissing(undefined))
  if (!names) return
  await mkdir(to)
  for (const name of names.filter((name) => !isUnfinished(name))) {
    // The log grows in place, so a link to it would keep growing.
    await (isLog(name) ? copySparse : linkOrCopy)(join(from, name), join(to, name))
  }
}

/**
 * `backup <file>`: writes all data to a file, in the state that a server would find after a crash
 * at that moment. Servers may keep running; their writes wait while the volumes are linked, usually
 * for some milliseconds.
 * @throws StartError with one line for the operator
 */
export async function runBackup(config: ServerConfig, target: string): Promise<void> {
  const file = resolve(target)
  if (existsSync(file)) throw new StartError(`there is a file ${file} already`)
  if (!existsSync(config.data)) {
    throw new StartError(`there is no directory ${config.data}; say where it is with --data`)
  }
  const stage = join(config.data, STAGE)
  const locks = [lockStage(config.data)]
  const began = performance.now()
  const content = join(stage, 'content')
  let engine: OpenEngineBackup | undefined
  try {
    await rm(content, { recursive: true, force: true })
    await mkdir(content)
    engine = await openEngineBackup(config)
    if (engine && config.sharedDirectory !== undefined) {
      locks.push(lockStage(config.sharedDirectory))
    }
    const frozen = await freezeWith(engine, () => freeze(config))
    const time = new Date().toISOString()
    let pause: number
    let pools: KnownPools | undefined
    try {
      const stopped = performance.now()
      pools = await engine?.pools()
      await linkVolumes(volumesDirectory(config.data), volumesDirectory(content))
      const token = join(config.data, 'token')
      await link(token, join(content, basename(token))).catch(ifMissing(undefined))
      await frozen.thaw()
      pause = performance.now() - stopped
      await linkTimeSeries(timeSeriesDirectory(config.data), timeSeriesDirectory(content))
      await frozen.copyTo(content)
    } finally {
      await frozen.close()
    }
    await engine?.settle()
    const sources: Source[] = [{ directory: content }]
    if (engine && pools) {
      const others = await engine.others()
      sources.push({
        directory: engine.directory,
        within: [MACHINES, engine.name],
        others: [poolListFile(pools, others), ...others],
      })
    }
    const addedHosts = engine && config.sharedDirectory !== undefined
    await writeArchive(file, sources, { database: frozen.kind, time, addedHosts })
    if (frozen.remark) console.error(`steading: ${frozen.remark}`)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    console.log(
      `Backed up the state of ${time} to ${file} in ${seconds} s; writes waited for ${Math.ceil(pause)} ms`,
    )
  } catch (error) {
    if (isNoSpace(error) || isFull(error) || error instanceof NoSpaceError) {
      throw new StartError(
        `cannot write the backup: the disk is full; it needs room in ${config.data} and for ${file}`,
      )
    }
    if (error instanceof BusyBytes) {
      throw new StartError('cannot write the backup: a server keeps working with a disk; try again')
    }
    if (error instanceof BackupError || error instanceof EngineStartError) {
      throw new StartError(error.message)
    }
    if (error instanceof StartError || errorCode(error) === undefined) throw error
    throw new StartError(`cannot write the backup: ${errorMessage(error)}`)
  } finally {
    // Before the release: afterwards, the directory may belong to the next backup.
    await rm(content, { recursive: true, force: true })
    await engine?.close()
    for (const lock of locks) lock.release()
  }
}
