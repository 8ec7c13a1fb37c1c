import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import {
  errorCode,
  errorMessage,
  ifMissing,
  isZero,
  syncDirectory,
  writeFully,
} from '@steading/files'
import type { ServerConfig } from '../config.ts'
import { StartError } from '../errors.ts'
import { BadArchiveError, type Contents, readArchive, verifyArchive } from './archive.ts'
import { checkEmpty, checkFilled, fill } from './databases.ts'

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

/** Extracts a verified backup into a directory. */
const unpack = (file: string, contents: Contents, directory: string): Promise<void> =>
  readArchive(file, contents, async (name, content) => {
    const path = join(directory, name)
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
  try {
    const contents = await verifyArchive(file)
    const { database, time } = contents.description
    await checkEmpty(config, database)
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    await unpack(file, contents, unfinished)
    await checkFilled(config, unfinished)
    await fill(config, unfinished)
    for await (const directory of directories(unfinished)) await syncDirectory(directory)
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
  }
}
