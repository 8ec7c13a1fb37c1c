import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const DIRECTORY_MODE = 0o700
const FILE_MODE = 0o600
const MODE_BITS = 0o777

/** Changes the mode of a file or directory if necessary. */
function setMode(path: string, mode: number, now: number): void {
  if ((now & MODE_BITS) !== mode) chmodSync(path, mode)
}

/**
 * Sets the modes of the entries of a directory. Symbolic links are skipped, because they lead
 * elsewhere.
 */
function makeContentsPrivate(directory: string, deep: boolean): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isFile()) setMode(path, FILE_MODE, lstatSync(path).mode)
    else if (entry.isDirectory()) {
      setMode(path, DIRECTORY_MODE, lstatSync(path).mode)
      if (deep) makeContentsPrivate(path, deep)
    }
  }
}

/**
 * Makes a directory and its files accessible to their owner only, because it holds password hashes
 * and the contents of disks. Its subdirectories are checked only if other users could have entered
 * it.
 * @throws the system error for files of another user
 */
export function makePrivate(directory: string): void {
  const { mode } = lstatSync(directory)
  const wasOpen = (mode & MODE_BITS) !== DIRECTORY_MODE
  // First, so that other users cannot enter during the rest.
  setMode(directory, DIRECTORY_MODE, mode)
  makeContentsPrivate(directory, wasOpen)
}
