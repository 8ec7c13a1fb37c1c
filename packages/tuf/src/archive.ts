/** Entries of an untrusted zip archive. */
import {
  configure,
  ERR_UNSAFE_FILENAME,
  type FileEntry,
  Reader,
  ZipReader,
} from '@zip.js/zip.js/index-native.js'
import { concatUint8Arrays } from 'uint8array-extras'
import type { Bytes } from './bytes.ts'
import { TufProblem } from './problem.ts'

configure({ useWebWorkers: false })

/** Bytes at any location, read in chunks. */
export interface Source {
  size: number
  read: (offset: number, length: number) => Promise<Uint8Array>
}

/** Maximum number of entries. */
const ENTRIES_MAX = 10_000

class SourceReader extends Reader<Source> {
  readonly #source: Source
  constructor(source: Source) {
    super(source)
    this.#source = source
    this.size = source.size
  }
  override readUint8Array(index: number, length: number): Promise<Uint8Array> {
    return this.#source.read(index, Math.max(0, Math.min(length, this.size - index)))
  }
}

export interface Archive {
  names: string[]
  /**
   * Reads the contents of an entry in chunks.
   * @param max bytes; a larger entry is refused before it is unpacked
   * @throws TufProblem
   */
  read: (name: string, max: number, take: (piece: Uint8Array) => void) => Promise<void>
  close: () => Promise<void>
}

const isLink = ({ externalFileAttributes = 0, versionMadeBy = 0 }: FileEntry): boolean =>
  versionMadeBy >> 8 === 3 && ((externalFileAttributes >>> 16) & 0o170000) === 0o120000

/** Problem with an entry, before any of it is read. */
function entryProblem(entry: FileEntry): string | undefined {
  if (isLink(entry)) return 'is a link'
  return entry.encrypted ? 'is encrypted' : undefined
}

/**
 * Opens an archive and reads its directory.
 * @throws TufProblem if it is not an archive, or has entries that no repository contains
 */
export async function openArchive(source: Source): Promise<Archive> {
  const zip = new ZipReader(new SourceReader(source), {
    checkSignature: true,
    strictness: 'strict',
  })
  const entries = new Map<string, FileEntry>()
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      if (entries.size >= ENTRIES_MAX) {
        throw new TufProblem(`the archive has more than ${ENTRIES_MAX} entries`)
      }
      if (entry.directory) continue
      const problem = entryProblem(entry)
      if (problem) throw new TufProblem(`the entry "${entry.filename}" ${problem}`)
      if (entries.has(entry.filename)) {
        throw new TufProblem(`the entry "${entry.filename}" is there twice`)
      }
      entries.set(entry.filename, entry)
    }
  } catch (error) {
    if (error instanceof TufProblem) throw error
    if (error instanceof Error && error.message === ERR_UNSAFE_FILENAME) {
      throw new TufProblem('the path of an entry leads out of the archive', { cause: error })
    }
    throw new TufProblem('the file is not a zip archive, or it is cut off', { cause: error })
  }
  return {
    names: [...entries.keys()],
    async read(name, max, take) {
      const entry = entries.get(name)
      if (!entry) throw new TufProblem(`the archive has no ${name}`)
      let taken = 0
      const tooLong = () => new TufProblem(`${name} has more than ${max} bytes`)
      if (entry.uncompressedSize > max) throw tooLong()
      try {
        await entry.getData(
          new WritableStream<Uint8Array>({
            write(piece) {
              taken += piece.length
              // The size in the archive's directory may be wrong.
              if (taken > max) throw tooLong()
              take(piece)
            },
          }),
        )
      } catch (error) {
        if (taken > max) throw tooLong()
        throw new TufProblem(`${name} is damaged`, { cause: error })
      }
    },
    close: () => zip.close(),
  }
}

/** Complete contents of an entry. */
export async function readWhole(archive: Archive, name: string, max: number): Promise<Bytes> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  await archive.read(name, max, (piece) => void pieces.push(new Uint8Array(piece)))
  return concatUint8Arrays(pieces)
}
