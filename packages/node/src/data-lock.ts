import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorCode, errorMessage } from '@steading/files'
import { StartError } from './errors.ts'
import { isBusy, isFull } from './sqlite.ts'

export interface DataLock {
  release: () => void
}

/** Node's recursive creation never returns on a file system that permits no new directories. */
function createDirectory(path: string): void {
  try {
    // Only the owner may read it, because it holds password hashes.
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && statSync(path).isDirectory()) return
    if (errorCode(error) !== 'ENOENT' || existsSync(dirname(path))) throw error
    createDirectory(dirname(path))
    mkdirSync(path, { mode: 0o700 })
  }
}

const fileOf = (directory: string): string => join(directory, 'lock.db')

/**
 * Whether a process holds the exclusive lock of a directory. Takes no lock and creates nothing.
 * @throws the error of SQLite if the lock file cannot be read
 */
export function isLocked(directory: string): boolean {
  if (!existsSync(fileOf(directory))) return false
  const lock = new DatabaseSync(fileOf(directory), { readOnly: true, timeout: 0 })
  try {
    lock.exec('begin; select count(*) from sqlite_schema')
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    lock.close()
  }
}

/**
 * References to the locks of this process. Without one, a lock would be garbage-collected and so
 * released.
 */
const held = new Set<DatabaseSync>()

/**
 * Creates a directory if it does not exist, and locks it: for this process alone, or shared with other
 * processes.
 *
 * The lock is a transaction on a database of its own. The operating system releases it when the
 * process dies for any reason, so there is never a stale lock to remove.
 *
 * @returns undefined if another process has it
 * @throws StartError if the directory cannot be used
 */
export function tryLock(
  directory: string,
  { shared }: { shared: boolean } = { shared: false },
): DataLock | undefined {
  try {
    createDirectory(directory)
  } catch (error) {
    const reason =
      errorCode(error) === 'EEXIST' || errorCode(error) === 'ENOTDIR'
        ? 'there is a file in its place'
        : errorMessage(error)
    throw new StartError(`cannot use the data directory ${directory}: ${reason}`)
  }
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(fileOf(directory), { timeout: 0 })
    // A transaction that has read holds a shared lock, which prevents an exclusive one.
    lock.exec(shared ? 'begin; select count(*) from sqlite_schema' : 'begin exclusive')
  } catch (error) {
    lock?.close()
    if (isFull(error)) {
      throw new StartError(`the disk is full; make room for ${directory} and start again`)
    }
    if (isBusy(error)) return undefined
    throw new StartError(`cannot use the data directory ${directory}: ${errorMessage(error)}`)
  }
  const taken = lock
  held.add(taken)
  return {
    release() {
      if (held.delete(taken)) taken.close()
    },
  }
}

/**
 * Creates the data directory if it does not exist, and locks it as `tryLock` does.
 * @throws StartError if the directory is in use or cannot be used
 */
export function lockDataDirectory(directory: string, options?: { shared: boolean }): DataLock {
  const lock = tryLock(directory, options)
  if (lock) return lock
  throw new StartError(
    `the data directory ${directory} is in use by another process; ` +
      'stop that one, or choose another directory with --data',
  )
}
