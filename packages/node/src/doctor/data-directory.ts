/** Checks of the data directory. */
import { accessSync, constants, existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { userInfo } from 'node:os'
import { MiB } from '@steading/api/rules'
import { errorMessage, freeBytes } from '@steading/files'
import type { ServerConfig } from '../config.ts'
import { isLocked } from '../data-lock.ts'
import { fileSystemOf } from '../engine.ts'
import { RESERVE_BYTES } from '../free-space.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const ABOUT = 'data directory'
const OTHERS = 0o077

const may = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

/** Nearest existing ancestor of a path. */
const existingAbove = (path: string): string =>
  existsSync(dirname(path)) ? dirname(path) : existingAbove(dirname(path))

function missing(directory: string): Finding {
  const above = existingAbove(directory)
  return statSync(above).isDirectory() && may(above, constants.W_OK)
    ? warning(
        ABOUT,
        `there is no ${directory}`,
        'the first start creates it; set --data to use another one',
      )
    : problem(
        ABOUT,
        `there is no ${directory}, and ${userInfo().username} may not make it in ${above}`,
        'create it for that user, or set --data to use another one',
      )
}

/** Owners of the directory and its contents. Only one user may start servers. */
function owners(directory: string): Finding {
  const { uid } = statSync(directory)
  const foreign = readdirSync(directory).find(
    (name) => lstatSync(join(directory, name)).uid !== uid,
  )
  if (foreign !== undefined) {
    const other = lstatSync(join(directory, foreign)).uid
    return problem(
      'owner',
      `${foreign} belongs to the user ${other}, and ${directory} to the user ${uid}`,
      `run chown -R ${uid} ${directory}, and start servers as that user`,
    )
  }
  const own = process.getuid?.()
  if (own !== undefined && uid !== own) {
    return warning(
      'owner',
      `${directory} belongs to the user ${uid}, and this is run by the user ${own}`,
      'start servers as that user',
    )
  }
  return ok('owner', userInfo().username)
}

function access(directory: string): Finding {
  return (statSync(directory).mode & OTHERS) === 0
    ? ok('access', 'for its owner only')
    : warning(
        'access',
        `other users can read ${directory}, which holds secrets`,
        `run chmod 700 ${directory}, as the next start does`,
      )
}

/** The room for disks in a directory. */
export function roomFinding(about: string, path: string, free: number, keepFree: number): Finding {
  const text = `${Math.floor(free / MiB)} MiB free`
  return free < keepFree
    ? warning(
        about,
        `${text} in ${path}, less than --keep-free`,
        'free some space: uploads and snapshots are refused, and guests are paused when it is full',
      )
    : ok(about, text)
}

async function freeSpaceOfVolumes({ libvirtVolumes, keepFree }: ServerConfig): Promise<Finding[]> {
  if (libvirtVolumes === undefined) return []
  const found = await fileSystemOf(libvirtVolumes)
  // The engine says why a directory cannot be used.
  if (typeof found === 'string') return []
  return [roomFinding('free space for disks', libvirtVolumes, found.free, keepFree)]
}

async function freeSpaceFinding({ data, keepFree }: ServerConfig): Promise<Finding> {
  const free = await freeBytes(data)
  const text = `${Math.floor(free / MiB)} MiB free`
  if (free < RESERVE_BYTES) {
    return problem('free space', `${text} beside ${data}`, 'free some space: writes are refused')
  }
  if (free < keepFree) {
    return warning(
      'free space',
      `${text} beside ${data}, less than --keep-free`,
      'free some space: uploads are refused',
    )
  }
  return ok('free space', text)
}

function lock(directory: string): Finding {
  try {
    return ok('lock', isLocked(directory) ? 'a server has the data directory' : 'free')
  } catch (error) {
    return problem('lock', `cannot be read: ${errorMessage(error)}`, `remove ${directory}/lock.db`)
  }
}

/** Findings about a data directory. */
export interface DirectoryCheck {
  findings: Finding[]
  /** Whether its contents can be checked. */
  readable: boolean
}

export async function checkDataDirectory(config: ServerConfig): Promise<DirectoryCheck> {
  const { data } = config
  const only = (finding: Finding): DirectoryCheck => ({ findings: [finding], readable: false })
  if (!existsSync(data)) return only(missing(data))
  if (!statSync(data).isDirectory()) {
    return only(problem(ABOUT, `there is a file at ${data}`, 'set --data to the directory'))
  }
  if (!may(data, constants.R_OK | constants.W_OK | constants.X_OK)) {
    return only(
      problem(
        ABOUT,
        `${userInfo().username} may not read and write ${data}`,
        'run this and servers as its owner, and check that its disk is writable',
      ),
    )
  }
  return {
    findings: [
      ok(ABOUT, data),
      owners(data),
      access(data),
      await freeSpaceFinding(config),
      ...(await freeSpaceOfVolumes(config)),
      lock(data),
    ],
    readable: true,
  }
}
