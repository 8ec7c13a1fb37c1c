/**
 * The file of a backup: a tar archive compressed with Zstandard, so that the tools of the system can
 * read it. It begins with a description of the backup and ends with an empty entry, without which
 * the file is incomplete.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { link, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { type Extract, extract, pack, type Pack } from 'tar-stream'
import { StartError } from '../errors.ts'
import { syncDirectory } from '../volumes/files.ts'

const DESCRIPTION = 'backup.json'
const END = 'end'
const FORMAT = 1
const PRIVATE_FILE = 0o600
const PRIVATE_DIRECTORY = 0o700

/** A file of the archive, as it is read. */
export type Entry = Extract extends AsyncIterable<infer Item> ? Item : never

/** What a backup says about itself. */
export interface Description {
  format: typeof FORMAT
  database: 'sqlite' | 'postgres'
  /** The moment of the backup: later changes are not in it. ISO 8601. */
  time: string
}

/** The file is no backup of this program, or only a part of one. */
export class BadArchiveError extends Error {}

function addFile(archive: Pack, name: string, path: string, size: number): Promise<void> {
  const entry = archive.entry({ name, size, mode: PRIVATE_FILE })
  // A file that has grown since is cut at the size that the archive has announced.
  return size === 0
    ? new Promise((resolve) => entry.end(resolve))
    : pipeline(createReadStream(path, { end: size - 1 }), entry)
}

async function addDirectory(archive: Pack, directory: string, below: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    const name = `${below}${entry.name}`
    if (entry.isDirectory()) {
      archive.entry({ name: `${name}/`, type: 'directory', mode: PRIVATE_DIRECTORY })
      await addDirectory(archive, path, `${name}/`)
    } else {
      await addFile(archive, name, path, (await stat(path)).size)
    }
  }
}

/**
 * Writes what is in a directory into a new file, which appears when it is complete and durable.
 * @throws the error of the file system; EEXIST if there is a file
 */
export async function writeArchive(
  file: string,
  directory: string,
  description: Omit<Description, 'format'>,
): Promise<void> {
  const unfinished = `${file}.${crypto.randomUUID()}.unfinished`
  const archive = pack()
  const fill = async (): Promise<void> => {
    archive.entry({ name: DESCRIPTION }, JSON.stringify({ format: FORMAT, ...description }))
    await addDirectory(archive, directory, '')
    archive.entry({ name: END }, '')
    archive.finalize()
  }
  try {
    const target = createWriteStream(unfinished, { flags: 'wx', mode: PRIVATE_FILE, flush: true })
    const written = pipeline(archive, createZstdCompress(), target)
    await Promise.all([
      written,
      fill().catch((error: Error) => {
        archive.destroy(error)
        throw error
      }),
    ])
    await link(unfinished, file)
    await syncDirectory(dirname(file))
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function textOf(entry: Entry): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of entry) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}

function parseDescription(text: string): Description {
  const found = JSON.parse(text) as Partial<Description>
  if (found.format === FORMAT) return found as Description
  throw new BadArchiveError('it was made by another version of Steading')
}

/**
 * Reads a backup from its beginning to its end.
 * @param begin called with the description, before the first file
 * @param visit called for each file and directory, with its path in the backup
 * @throws BadArchiveError
 */
export async function readArchive(
  file: string,
  begin: (description: Description) => void,
  visit: (name: string, entry: Entry | undefined) => Promise<void>,
): Promise<void> {
  // Opened first, because an error of the file system says more than that of a stream.
  await (await open(file)).close()
  const archive = extract()
  const read = pipeline(createReadStream(file), createZstdDecompress(), archive)
  // The loop below ends with the same error.
  read.catch(() => {})
  let [begun, complete] = [false, false]
  try {
    for await (const entry of archive) {
      const { name, type } = entry.header
      if (!begun) {
        if (name !== DESCRIPTION) throw new BadArchiveError('it is no backup of Steading')
        begin(parseDescription(await textOf(entry)))
        begun = true
      } else if (name === END) {
        complete = true
        entry.resume()
      } else if (type === 'directory') {
        entry.resume()
        await visit(name, undefined)
      } else {
        await visit(name, entry)
      }
    }
    await read
  } catch (error) {
    const known = error instanceof BadArchiveError || error instanceof StartError
    if (known || 'syscall' in (error as object)) throw error
    throw new BadArchiveError(begun ? 'a part of it is missing or damaged' : 'it is no backup', {
      cause: error,
    })
  }
  if (!complete) throw new BadArchiveError('its end is missing')
}
