import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const DIRECTORY_MODE = 0o700
const FILE_MODE = 0o600
const MODE_BITS = 0o777

/** Sets the mode of a file or directory, if it is another. */
function setMode(path: string, mode: number, now: number): void {
  if ((now & MODE_BITS) !== mode) chmodSync(path, mode)
}

/** What is in a directory; a link leads elsewhere, and stays as it is. */
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
 * Keeps a directory and the files in it from everybody but their owner: it holds password hashes and
 * the contents of disks. What is deeper in it is only looked at if others could have come there.
 * @throws the error of the system, for what belongs to somebody else
 */
export function makePrivate(directory: string): void {
  const { mode } = lstatSync(directory)
  const wasOpen = (mode & MODE_BITS) !== DIRECTORY_MODE
  // First, so that nobody comes in while the rest is done.
  setMode(directory, DIRECTORY_MODE, mode)
  makeContentsPrivate(directory, wasOpen)
}
