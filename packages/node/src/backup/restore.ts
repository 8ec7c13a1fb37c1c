import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import {
  errorCode,
  errorMessage,
  ifMissing,
  isZero,
  RESTORED_FILE,
  syncDirectory,
  writeFully,
  writeNew,
} from '@steading/files'
import type { ServerConfig } from '../config.ts'
import { StartError } from '../errors.ts'
import { MACHINES } from '../volumes/names.ts'
import { BadArchiveError, type Contents, readArchive, verifyArchive } from './archive.ts'
import { checkEmpty, checkFilled, fill } from './databases.ts'

/** The disks of real machines in a backup. */
const DISKS = `${MACHINES}/volumes/`

/** Writes a new file durably. Zeros become holes, as in the original volume. */
async function writeSparse(path: string, content: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    let size = 0
    for await (const piece of content) {
      if (!isZero(piece)) await writeFully(file, piece, size)
      size += piece.length
    }
    await file.truncate(size)
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Extracts a verified backup into a directory.
 * @param disks another directory for the disks of real machines
 */
const unpack = (
  file: string,
  contents: Contents,
  directory: string,
  disks?: string,
): Promise<void> =>
  readArchive(file, contents, async (name, content) => {
    if (name === DISKS && disks) return
    const isDisk = name.startsWith(DISKS)
    const path = isDisk && disks ? join(disks, name.slice(DISKS.length)) : join(directory, name)
    if (content) await writeSparse(path, content)
    else await mkdir(path, { recursive: true, mode: 0o700 })
  })

/** A directory and its subdirectories, deepest first. */
async function* directories(path: string): AsyncGenerator<string> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* directories(join(path, entry.name))
  }
  yield path
}

/**
 * Refuses a directory with disks.
 * @throws StartError
 */
async function requireEmpty(disks: string): Promise<void> {
  const there = await readdir(disks).catch((error: unknown) => {
    throw new StartError(`cannot use the directory ${disks}: ${errorMessage(error)}`)
  })
  // Of the file system, and of a restore that was killed.
  const foreign = there.filter((name) => name !== 'lost+found' && name !== '.unfinished')
  if (foreign.length > 0) {
    throw new StartError(`the directory ${disks} is not empty; restore the disks into a new one`)
  }
}

/** Tells the next start that the disks were restored: they belong to a database of their own now. */
async function markRestored(disks: string): Promise<void> {
  if (existsSync(disks)) await writeNew(join(disks, RESTORED_FILE), `${crypto.randomUUID()}\n`)
}

async function moveContents(from: string, to: string): Promise<void> {
  await syncDirectory(from)
  for (const name of await readdir(from)) await rename(join(from, name), join(to, name))
  await syncDirectory(to)
}

/**
 * The operator's error if a backup cannot be read or used.
 * @param failed the operation on the file that failed
 */
function backupProblem(error: unknown, failed: string): unknown {
  if (error instanceof BadArchiveError) return new StartError(`${failed}: ${error.message}`)
  if (error instanceof StartError || errorCode(error) === undefined) return error
  return new StartError(`${failed}: ${errorMessage(error)}`)
}

/** Note about a backup without checksums. */
const unchecked = ({ description }: Contents): string =>
  description.format === 1
    ? '; it was made by an earlier version and has no checksums, so damage may go unnoticed'
    : ''

/**
 * `verify <file>`: checks a whole backup against its checksums, without restoring it.
 * @throws StartError with one line for the operator
 */
export async function runVerify(source: string): Promise<void> {
  const file = resolve(source)
  try {
    const contents = await verifyArchive(file)
    const { time } = contents.description
    const files = contents.checksums.filter(([, sha256]) => sha256 !== null).length
    console.log(`${file} is complete: the state of ${time}, ${files} files${unchecked(contents)}`)
  } catch (error) {
    throw backupProblem(error, `${file} cannot be used`)
  }
}

/**
 * `restore <file>`: creates a data directory, and with PostgreSQL fills an empty database, from a
 * backup. The whole backup is checked before anything is written, and the result appears completely
 * or not at all.
 * @throws StartError with one line for the operator
 */
export async function runRestore(config: ServerConfig, source: string): Promise<void> {
  const file = resolve(source)
  const { data } = config
  const there = await readdir(data).catch(ifMissing([] as string[]))
  if (there.length > 0) {
    throw new StartError(`the data directory ${data} is not empty; restore into a new one`)
  }
  const unfinished = `${data}.${crypto.randomUUID()}.unfinished`
  const disks = config.libvirtVolumes
  /** Beside their places, because they may be on another disk than the data directory. */
  const unfinishedDisks = disks && join(disks, '.unfinished')
  if (disks) await requireEmpty(disks)
  try {
    const contents = await verifyArchive(file)
    const { database, time } = contents.description
    await checkEmpty(config, database)
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    if (unfinishedDisks) {
      await rm(unfinishedDisks, { recursive: true, force: true })
      await mkdir(unfinishedDisks, { mode: 0o700 })
    }
    await unpack(file, contents, unfinished, unfinishedDisks)
    await markRestored(unfinishedDisks ?? join(unfinished, DISKS))
    await checkFilled(config, unfinished)
    await fill(config, unfinished)
    for await (const directory of directories(unfinished)) await syncDirectory(directory)
    if (disks && unfinishedDisks) await moveContents(unfinishedDisks, disks)
    if (existsSync(data)) await rmdir(data)
    await rename(unfinished, data)
    await syncDirectory(dirname(data))
    console.log(
      `Restored the state of ${time} to ${data}${unchecked(contents)}; start the server on it`,
    )
  } catch (error) {
    throw backupProblem(error, `cannot restore ${file}`)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
    if (unfinishedDisks) await rm(unfinishedDisks, { recursive: true, force: true })
  }
}
