import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorCode, errorMessage, StartError } from './errors.ts'
import { isBusy, isFull } from './sqlite.ts'

export interface DataLock {
  release: () => void
}

/** Node's own recursive creation never ends where a file system allows no directories. */
function createDirectory(path: string): void {
  try {
    // It holds password hashes: for its owner only.
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && statSync(path).isDirectory()) return
    if (errorCode(error) !== 'ENOENT' || existsSync(dirname(path))) throw error
    createDirectory(dirname(path))
    mkdirSync(path, { mode: 0o700 })
  }
}

/** Kept here so that a lock lasts even if its owner forgets it: collected, it would be let go. */
const held = new Set<DatabaseSync>()

/**
 * Creates the data directory if need be and takes it for this process alone, or for those that
 * share it.
 *
 * The lock is a transaction on a database of its own: the operating system lets go of it when the
 * process dies, however it dies, so there is never a stale lock to clear.
 *
 * @throws StartError if the directory is in use or cannot be used
 */
export function lockDataDirectory(
  directory: string,
  { shared }: { shared: boolean } = { shared: false },
): DataLock {
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
    lock = new DatabaseSync(join(directory, 'lock.db'), { timeout: 0 })
    // A transaction that has read holds a shared lock, which keeps out an exclusive one.
    lock.exec(shared ? 'begin; select count(*) from sqlite_schema' : 'begin exclusive')
  } catch (error) {
    lock?.close()
    if (isFull(error)) {
      throw new StartError(`the disk is full; make room for ${directory} and start again`)
    }
    if (isBusy(error)) {
      throw new StartError(
        `the data directory ${directory} is in use by another process; ` +
          'stop that one, or choose another directory with --data',
      )
    }
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
