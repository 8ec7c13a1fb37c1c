import { randomInt } from 'node:crypto'
import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Extents } from '@steading/control-plane'
import { ifMissing, openUsable, readInto } from '@steading/files'
import { GroupSync } from './group-sync.ts'
import { isLog, WRITTEN_LOG } from './names.ts'

/** Two 64-bit numbers: offset and length. */
const ENTRY_BYTES = 16

function entryOf(offset: number, length: number): Buffer {
  const entry = Buffer.alloc(ENTRY_BYTES)
  entry.writeBigUInt64LE(BigInt(offset), 0)
  entry.writeBigUInt64LE(BigInt(length), 8)
  return entry
}

/** The part of a log that has been read. */
interface Part {
  /** Its first entry. */
  mark: Buffer
  bytes: number
}

/**
 * Log of the ranges written to a volume, in a file beside its bytes, so that an interrupted import
 * can resume. Its first entry is empty, at a random offset by which the log is recognized later.
 *
 * An entry is written after its bytes are durable and before they are acknowledged, but not synced:
 * if the process dies, no entry is lost. A power failure may lose entries, whose bytes the client
 * then sends again.
 */
export class WrittenLog {
  readonly #directory: string
  /** Both live until the files of the volume are closed. */
  #file: Promise<FileHandle> | undefined
  #current: Promise<void> | undefined
  /** Both outlive the files, so that only the entries of other processes are read later. */
  #extents = new Extents()
  readonly #seen = new Map<string, Part>()
  #pending: Buffer[] = []
  /** Entries of concurrent chunks are written together. */
  readonly #write = new GroupSync(async () => {
    const entries = this.#pending
    this.#pending = []
    const file = await this.begin()
    try {
      await file.appendFile(Buffer.concat(entries))
    } catch (error) {
      // A part of an entry may be left at the end, which opening the log again removes.
      await this.close()
      throw error
    }
  })

  constructor(directory: string) {
    this.#directory = directory
  }

  /** Whether nothing of it has to be remembered. */
  get isEmpty(): boolean {
    return this.#seen.size === 0
  }

  /** The log, and those of other processes that earlier versions kept beside each other. */
  async #files(): Promise<string[]> {
    const names = await readdir(this.#directory).catch(ifMissing([]))
    return names.filter(isLog)
  }

  async #read(): Promise<void> {
    const files = await this.#files()
    const opened = new Map<string, FileHandle>()
    try {
      for (const name of files) opened.set(name, await open(join(this.#directory, name)))
      for (const [name, { mark }] of this.#seen) {
        const first = Buffer.alloc(ENTRY_BYTES)
        const file = opened.get(name)
        if (file) await readInto(file, first, 0)
        if (file && first.equals(mark)) continue
        // Sealed since.
        this.#forget()
        break
      }
      for (const [name, file] of opened) await this.#readFrom(name, file)
    } finally {
      for (const file of opened.values()) await file.close()
    }
  }

  async #readFrom(name: string, file: FileHandle): Promise<void> {
    const { size } = await file.stat()
    // An incomplete last entry is ignored.
    const end = size - (size % ENTRY_BYTES)
    const begin = this.#seen.get(name)?.bytes ?? 0
    if (end <= begin) return
    const data = Buffer.alloc(end - begin)
    await readInto(file, data, begin)
    for (let at = 0; at < data.length; at += ENTRY_BYTES) {
      this.#extents.add(Number(data.readBigUInt64LE(at)), Number(data.readBigUInt64LE(at + 8)))
    }
    const mark = this.#seen.get(name)?.mark ?? Buffer.from(data.subarray(0, ENTRY_BYTES))
    this.#seen.set(name, { mark, bytes: end })
  }

  #forget(): void {
    this.#extents = new Extents()
    this.#seen.clear()
  }

  /** Reads the entries that were added since the files were closed. */
  #load(): Promise<void> {
    const loading = (this.#current ??= this.#read())
    // After a failure, the next call tries again.
    loading.catch(() => {
      if (this.#current === loading) this.#current = undefined
    })
    return loading
  }

  /** Creates the log, which tells that the volume is being written to. */
  begin(): Promise<FileHandle> {
    const opening = (this.#file ??= this.#open())
    opening.catch(() => {
      if (this.#file === opening) this.#file = undefined
    })
    return opening
  }

  #open(): Promise<FileHandle> {
    return openUsable(join(this.#directory, WRITTEN_LOG), 'a', async (file) => {
      const { size } = await file.stat()
      await file.truncate(size - (size % ENTRY_BYTES))
      if (size < ENTRY_BYTES) await file.appendFile(entryOf(randomInt(2 ** 48 - 1), 0))
      await this.#load()
    })
  }

  async add(offset: number, length: number): Promise<void> {
    await this.begin()
    if (this.#extents.covers(offset, length)) return
    this.#pending.push(entryOf(offset, length))
    await this.#write.done()
    this.#extents.add(offset, length)
  }

  async extents(): Promise<Extents> {
    await this.#load()
    return this.#extents
  }

  async remove(): Promise<void> {
    await this.close()
    for (const name of await this.#files()) await rm(join(this.#directory, name), { force: true })
    this.#forget()
  }

  /** Closes its file: other processes may write to it from now on. */
  async close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    this.#current = undefined
    // A file that could not be opened needs no closing.
    await (await file?.catch(() => undefined))?.close()
  }
}
