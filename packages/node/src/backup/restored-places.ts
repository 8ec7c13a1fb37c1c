/** The directories into which a restore puts the disks of real machines. */
import { constants } from 'node:fs'
import { access, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { MiB, storagePoolProblems } from '@steading/api/rules'
import {
  errorCode,
  errorMessage,
  ifMissing,
  spaceOf,
  syncDirectory,
  TOKEN_FILE,
} from '@steading/files'
import type { ServerConfig } from '../config.ts'
import { makeSharedVolumes } from '../disk-directories.ts'
import { StartError } from '../errors.ts'

/** Where the files of a restore are until all of them are there. */
const UNFINISHED = '.unfinished'
/** Of the file system, and of a restore that was killed. */
const NOBODYS = new Set(['lost+found', UNFINISHED])

/** A directory that is filled completely or not at all. */
export interface Target {
  directory: string
  /** Has its contents until then. */
  unfinished: string
}

/** A directory for disks, which has to be empty. */
export interface Place extends Target {
  /** Brings the disks to their places. */
  finish: () => Promise<void>
  /** Removes what this restore has brought there, and what one that was killed did not finish. */
  discard: () => Promise<void>
}

export function placeIn(directory: string): Place {
  const unfinished = join(directory, UNFINISHED)
  const moved: string[] = []
  return {
    directory,
    unfinished,
    async finish() {
      await syncDirectory(unfinished)
      for (const name of await readdir(unfinished)) {
        const path = join(directory, name)
        moved.push(path)
        await rename(join(unfinished, name), path)
      }
      await rm(unfinished, { recursive: true })
      await syncDirectory(directory)
    },
    async discard() {
      for (const path of [unfinished, ...moved]) await rm(path, { recursive: true, force: true })
    },
  }
}

/** What is in a directory besides leftovers. */
export const contentsOf = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).filter((name) => !NOBODYS.has(name))

/** @throws StartError for a directory with anything but leftovers and a name */
async function requireEmpty(directory: string, left?: string): Promise<void> {
  const there = await contentsOf(directory).catch((error: unknown) => {
    throw new StartError(`cannot use the directory ${directory}: ${errorMessage(error)}`)
  })
  if (there.every((name) => name === left)) return
  throw new StartError(`the directory ${directory} is not empty; restore the disks into a new one`)
}

/**
 * The place for the disks of real machines; undefined if they are in the data directory.
 * @throws StartError if it cannot be used, or is not empty
 */
export async function placeOfDisks(config: ServerConfig): Promise<Place | undefined> {
  const { libvirtVolumes, sharedDirectory } = config
  if (sharedDirectory !== undefined) {
    const volumes = await makeSharedVolumes(sharedDirectory, config)
    await requireEmpty(sharedDirectory, basename(volumes))
    await requireEmpty(volumes)
    return placeIn(volumes)
  }
  if (libvirtVolumes === undefined) return undefined
  await requireEmpty(libvirtVolumes)
  return placeIn(libvirtVolumes)
}

/** Why a directory cannot get the disks of a pool; undefined if it can. */
export async function poolProblem(directory: string): Promise<string | undefined> {
  try {
    if (!(await stat(directory)).isDirectory()) {
      return storagePoolProblems.unusable(directory, 'it is not a directory')
    }
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK)
    const there = await contentsOf(directory)
    if (there.length === 0) return undefined
    const reason = there.includes(TOKEN_FILE) ? 'ofOther' : 'notEmpty'
    const cutOff = 'if a restore into it was cut off, remove what it has left there'
    return `${storagePoolProblems[reason](directory)}; ${cutOff}`
  } catch (error) {
    return errorCode(error) === 'ENOENT'
      ? storagePoolProblems.missing(directory)
      : storagePoolProblems.unusable(directory, errorMessage(error))
  }
}

/** A directory that is there, at a path or above it. */
async function existing(path: string): Promise<string> {
  const found = await stat(path).catch(ifMissing(undefined))
  return found ? path : existing(dirname(path))
}

/** The number of the file system on which a path is, or will be. */
export const fileSystemOf = async (path: string): Promise<number> =>
  (await stat(await existing(path))).dev

/**
 * Refuses a restore that does not fit.
 * @param needs directory → bytes
 * @param left what other restores may have left
 * @throws StartError
 */
export async function requireRoom(
  needs: ReadonlyMap<string, number>,
  left: () => Promise<string[]>,
): Promise<void> {
  const perFileSystem = new Map<number, { path: string; bytes: number }>()
  for (const [path, bytes] of needs) {
    const known = perFileSystem.get(await fileSystemOf(path))
    if (known) known.bytes += bytes
    else perFileSystem.set(await fileSystemOf(path), { path, bytes })
  }
  for (const { path, bytes } of perFileSystem.values()) {
    const { size, free } = await spaceOf(await existing(path))
    // Some file systems do not say what is free.
    if (size === 0 || bytes <= free) continue
    const leftovers = await left()
    throw new StartError(
      `there is too little room in ${path}: ${Math.ceil(bytes / MiB)} MiB are needed, ` +
        `and ${Math.floor(free / MiB)} MiB are free; --ignore-room restores all the same` +
        (leftovers.length === 0
          ? ''
          : `; remove ${leftovers.join(' and ')}, unless a restore goes on`),
    )
  }
}
