/**
 * The file format of backups: a tar archive compressed with Zstandard, so that standard tools can
 * read it. It begins with a description of the backup and ends with the checksum of each entry. The
 * archive is followed by the checksum of all bytes before it, in a frame that Zstandard skips.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { extract, pack, type Pack } from 'tar-stream'
import type { BackedUpFile } from '@steading/control-plane/ports'
import { isZero, readInto, syncDirectory } from '@steading/files'
import { StartError } from '../errors.ts'
import { MACHINES } from '../volumes/names.ts'

const DESCRIPTION = 'backup.json'
/** Maximum size of a description in bytes. */
const MAX_DESCRIPTION = 64 * 1024
const FORMAT = 2
/** Format → name of its last entry. The first format has no checksums, only an empty last entry. */
const lastEntries: Record<number, string> = { 1: 'end', [FORMAT]: 'checksums.json' }
/** Other top-level entries of a backup. */
const CONTENTS = [
  'steading.db',
  'database.sql',
  'database.dump',
  'token',
  'volumes',
  'time-series',
  MACHINES,
]
/** Header of a skippable Zstandard frame (RFC 8878, 3.1.2) of the length of a SHA-256. */
const SEAL_HEADER = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 32, 0, 0, 0])
const SEAL_BYTES = SEAL_HEADER.length + 32
const PRIVATE_FILE = 0o600
const PRIVATE_DIRECTORY = 0o700

/** Description of a backup, stored in it. */
export interface Description {
  /** The first format has no checksums. */
  format: 1 | typeof FORMAT
  database: 'sqlite' | 'postgres'
  /** Time of the backup, in ISO 8601; later changes are not included. */
  time: string
  /** Whether its machines run on hosts that operators have added. */
  addedHosts?: boolean
}

/** The file is not a complete backup of this program. */
export class BadArchiveError extends Error {}

/** Name of each entry in order, with the SHA-256 of its bytes; null for a directory. */
export type Checksums = (readonly [name: string, sha256: string | null])[]

/** Contents of a backup after a complete check. */
export interface Contents {
  description: Description
  checksums: Checksums
}

/** Passes bytes through, and reports their SHA-256 at the end. */
async function* hashing<Bytes extends Uint8Array>(
  source: AsyncIterable<Bytes>,
  done: (sha256: Buffer) => void,
): AsyncGenerator<Bytes> {
  const hash = createHash('sha256')
  for await (const piece of source) {
    hash.update(piece)
    yield piece
  }
  done(hash.digest())
}

async function addFile(
  archive: Pack,
  name: string,
  { size, read }: Pick<BackedUpFile, 'size' | 'read'>,
): Promise<string> {
  const entry = archive.entry({ name, size, mode: PRIVATE_FILE })
  if (size === 0) {
    await new Promise((resolve) => entry.end(resolve))
    return createHash('sha256').digest('hex')
  }
  let sha256: Buffer | undefined
  const tapped = (source: AsyncIterable<Uint8Array>) => hashing(source, (found) => (sha256 = found))
  await pipeline(read(), tapped, entry)
  return sha256!.toString('hex')
}

/** @returns the checksums of the added entries */
async function addDirectory(archive: Pack, directory: string, below: string): Promise<Checksums> {
  const added: Checksums = []
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    const name = `${below}${entry.name}`
    if (entry.isDirectory()) {
      archive.entry({ name: `${name}/`, type: 'directory', mode: PRIVATE_DIRECTORY })
      added.push([`${name}/`, null], ...(await addDirectory(archive, path, `${name}/`)))
    } else {
      const { size } = await stat(path)
      // A file that has grown since is truncated to the size in its header.
      const read = () => createReadStream(path, { end: size - 1 })
      added.push([name, await addFile(archive, name, { size, read })])
    }
  }
  return added
}

/** Appends the checksum of all bytes. */
async function* sealing(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let seal: Buffer | undefined
  yield* hashing(source, (sha256) => (seal = sha256))
  yield Buffer.concat([SEAL_HEADER, seal!])
}

/** A directory whose contents are written to an archive. */
export interface Source {
  directory: string
  /** Names of the directories around the contents in the archive. */
  within?: readonly string[]
  /** Files besides those of the directory. */
  others?: readonly BackedUpFile[]
}

async function addSource(
  archive: Pack,
  { directory, within = [], others = [] }: Source,
): Promise<Checksums> {
  const around = within.map((_, index) => `${within.slice(0, index + 1).join('/')}/`)
  for (const name of around) archive.entry({ name, type: 'directory', mode: PRIVATE_DIRECTORY })
  const below = around.at(-1) ?? ''
  const added = await addDirectory(archive, directory, below)
  for (const file of others) {
    const name = `${below}${file.name}`
    added.push([name, await addFile(archive, name, file)])
  }
  return [...around.map((name) => [name, null] as const), ...added]
}

/**
 * Writes the contents of directories to a new file, which appears once it is complete and durable.
 * @throws the error of the file system; EEXIST if the file exists
 */
export async function writeArchive(
  file: string,
  sources: readonly Source[],
  description: Omit<Description, 'format'>,
): Promise<void> {
  const unfinished = `${file}.${crypto.randomUUID()}.unfinished`
  const archive = pack()
  const fill = async (): Promise<void> => {
    archive.entry({ name: DESCRIPTION }, JSON.stringify({ format: FORMAT, ...description }))
    const checksums: Checksums = []
    for (const source of sources) checksums.push(...(await addSource(archive, source)))
    archive.entry({ name: lastEntries[FORMAT]! }, JSON.stringify(checksums))
    archive.finalize()
  }
  try {
    const target = createWriteStream(unfinished, { flags: 'wx', mode: PRIVATE_FILE, flush: true })
    const written = pipeline(archive, createZstdCompress(), sealing, target)
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

async function textOf(content: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

/** Bytes of a file besides those that become holes. */
async function bytesOf(content: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0
  for await (const piece of content) if (!isZero(piece)) bytes += piece.length
  return bytes
}

function parseDescription(text: string): Description {
  const found = JSON.parse(text) as Partial<Description>
  if (found.format !== undefined && found.format in lastEntries) return found as Description
  throw new BadArchiveError('it was made by another version of Steading')
}

/**
 * Compares the checksum after the archive with the bytes before it.
 * @returns the length of the archive, and whether there is a checksum
 */
async function checkSeal(file: string): Promise<{ length: number; sealed: boolean }> {
  const { size } = await stat(file)
  const length = size - SEAL_BYTES
  const seal = Buffer.alloc(SEAL_BYTES)
  if (length > 0) {
    const handle = await open(file)
    try {
      await readInto(handle, seal, length)
    } finally {
      await handle.close()
    }
  }
  if (!seal.subarray(0, SEAL_HEADER.length).equals(SEAL_HEADER)) {
    return { length: size, sealed: false }
  }
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { end: length - 1 }), hash)
  if (hash.digest().equals(seal.subarray(SEAL_HEADER.length))) return { length, sealed: true }
  throw new BadArchiveError('it is damaged: its checksum does not match')
}

/**
 * Refuses an entry name that no backup has, above all one that leads outside.
 * @param directories names of the preceding entries that are directories
 */
function checkName(name: string, directories: ReadonlySet<string>): void {
  const path = name.replace(/\/$/, '')
  const parts = path.split('/')
  const leadsElsewhere = parts.some((part) => ['', '.', '..'].includes(part) || part.includes('\0'))
  const inside = path.slice(0, path.lastIndexOf('/') + 1)
  const hasPlace = inside === '' ? CONTENTS.includes(path) : directories.has(inside)
  if (leadsElsewhere || !hasPlace) {
    throw new BadArchiveError(`it has an entry that no backup has: ${JSON.stringify(name)}`)
  }
}

/** A backup after a complete check, as a restore needs it. */
export interface Verified extends Contents {
  /** Name of each file → its bytes. Zeros become holes, and do not count. */
  sizes: ReadonlyMap<string, number>
  /** The text of the entry that was to be kept; undefined if there is none. */
  kept?: string
}

type Visit = (name: string, content: AsyncIterable<Buffer> | undefined) => Promise<void>

/**
 * Reads an archive from start to end.
 * @param visit called for each file and directory; must consume the content of a file
 * @param known checksums of the entries, if they have been read before
 */
async function walk(
  file: string,
  { length, sealed }: { length: number; sealed: boolean },
  visit: Visit,
  known?: Checksums,
): Promise<Contents> {
  const archive = extract()
  const bytes = createReadStream(file, length === 0 ? {} : { end: length - 1 })
  const read = pipeline(bytes, createZstdDecompress(), archive)
  // The loop below ends with the same error.
  read.catch(() => {})
  let description: Description | undefined
  let complete = false
  const checksums: Checksums = []
  const directories = new Set<string>()
  try {
    for await (const entry of archive) {
      const { name, type, size = 0 } = entry.header
      const content = entry as AsyncIterable<unknown> as AsyncIterable<Buffer>
      if (complete) throw new BadArchiveError('it continues after its end')
      if (!description) {
        if (name !== DESCRIPTION || size > MAX_DESCRIPTION) {
          throw new BadArchiveError('it is not a backup of Steading')
        }
        description = parseDescription(await textOf(content))
        if (description.format > 1 && !sealed) throw new BadArchiveError('its end is missing')
      } else if (name === lastEntries[description.format]) {
        const text = await textOf(content)
        if (description.format > 1 && text !== JSON.stringify(checksums)) {
          throw new BadArchiveError('its entries have been changed')
        }
        complete = true
      } else {
        checkName(name, directories)
        if (type === 'directory') {
          entry.resume()
          await visit(name, undefined)
          checksums.push([name, null])
          directories.add(name.endsWith('/') ? name : `${name}/`)
        } else if (type === 'file') {
          let sha256: string | undefined
          await visit(
            name,
            hashing(content, (found) => (sha256 = found.toString('hex'))),
          )
          checksums.push([name, sha256!])
        } else {
          throw new BadArchiveError(
            `it has a ${type}, which no backup has: ${JSON.stringify(name)}`,
          )
        }
        const [expected, found] = [known?.[checksums.length - 1], checksums.at(-1)!]
        if (known && (expected?.[0] !== found[0] || expected[1] !== found[1])) {
          throw new BadArchiveError('it has changed while it was read')
        }
      }
    }
    await read
  } catch (error) {
    const known = error instanceof BadArchiveError || error instanceof StartError
    if (known || 'syscall' in (error as object)) throw error
    throw new BadArchiveError(
      description ? 'a part of it is missing or damaged' : 'it is not a backup',
      { cause: error },
    )
  }
  if (!description) throw new BadArchiveError('it is not a backup')
  if (!complete) throw new BadArchiveError('its end is missing')
  return { description, checksums }
}

/**
 * Reads and checks a whole backup without writing anything.
 * @param kept name of an entry whose text is returned
 * @throws BadArchiveError, or the error of the file system
 */
export async function verifyArchive(file: string, kept?: string): Promise<Verified> {
  const sizes = new Map<string, number>()
  let text: string | undefined
  const contents = await walk(file, await checkSeal(file), async (name, content) => {
    if (!content) return
    if (name === kept) text = await textOf(content)
    else sizes.set(name, await bytesOf(content))
  })
  const names = contents.checksums.map(([name]) => name)
  if (new Set(names).size < names.length) throw new BadArchiveError('it has an entry twice')
  return { ...contents, sizes, ...(text !== undefined && { kept: text }) }
}

/**
 * Reads a verified backup, checking again that no entry has changed.
 * @param visit called for each file and directory, with its path in the backup; must consume the
 * content of a file
 * @throws BadArchiveError, or the error of the file system
 */
export async function readArchive(file: string, verified: Contents, visit: Visit): Promise<void> {
  const { checksums } = await walk(file, await checkSeal(file), visit, verified.checksums)
  if (checksums.length < verified.checksums.length) {
    throw new BadArchiveError('it has changed while it was read')
  }
}
