import { existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import type { ServerConfig } from '../config.ts'
import { errorCode, errorMessage, StartError } from '../errors.ts'
import { ifMissing, isZero, syncDirectory, writeFully } from '../volumes/files.ts'
import { BadArchiveError, type Description, readArchive } from './archive.ts'
import { checkEmpty, fill } from './databases.ts'

/** Writes a new file durably. Zeros become holes, as in the volume that they come from. */
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

/** The path of an entry, which may not lead out of the directory. */
function inside(directory: string, name: string): string {
  const path = resolve(directory, name)
  if (path.startsWith(directory + sep)) return path
  throw new BadArchiveError(`it names a file outside of its own: ${name}`)
}

async function unpack(
  file: string,
  directory: string,
  check: (description: Description) => Promise<void>,
): Promise<Description> {
  let description: Description | undefined
  let checked = false
  await readArchive(
    file,
    (found) => (description = found),
    async (name, entry) => {
      if (!checked) await check(description!)
      checked = true
      const path = inside(directory, name)
      if (entry) await writeSparse(path, entry as AsyncIterable<unknown> as AsyncIterable<Buffer>)
      else await mkdir(path, { recursive: true, mode: 0o700 })
    },
  )
  return description!
}

/** The directories below one, the deepest first, and itself. */
async function* directories(path: string): AsyncGenerator<string> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* directories(join(path, entry.name))
  }
  yield path
}

/**
 * `restore <file>`: makes a data directory, and with PostgreSQL fills an empty database, from a
 * backup. Nothing is there unless all of it is.
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
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    const { time } = await unpack(file, unfinished, ({ database }) => checkEmpty(config, database))
    await fill(config, unfinished)
    for await (const directory of directories(unfinished)) await syncDirectory(directory)
    if (existsSync(data)) await rmdir(data)
    await rename(unfinished, data)
    await syncDirectory(dirname(data))
    console.log(`Restored the state of ${time} to ${data}; start the server on it`)
  } catch (error) {
    if (error instanceof BadArchiveError) {
      throw new StartError(`cannot restore ${file}: ${error.message}`)
    }
    if (error instanceof StartError || errorCode(error) === undefined) throw error
    throw new StartError(`cannot restore ${file}: ${errorMessage(error)}`)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}
