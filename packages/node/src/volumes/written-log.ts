import { type FileHandle, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Extents } from '@steading/control-plane'
import { ifMissing } from '@steading/files'
import { GroupSync } from './group-sync.ts'
import { isLog, WRITTEN_LOG } from './names.ts'

/** Two 64-bit numbers: offset and length. */
const ENTRY_BYTES = 16
/** Entries that a log may have beyond twice its extents before it is written anew. */
const SPARE_ENTRIES = 64

function entryOf(offset: number, length: number): Buffer {
  const entry = Buffer.alloc(ENTRY_BYTES)
  entry.writeBigUInt64LE(BigInt(offset), 0)
  entry.writeBigUInt64LE(BigInt(length), 8)
  return entry
}

interface OpenLog {
  file: FileHandle
  extents: Extents
}

/**
 * Log of the ranges written to a volume, in a file beside its bytes, so that an interrupted import
 * can resume.
 *
 * An entry is written after its bytes are durable and before they are acknowledged, but not synced:
 * if the process dies, no entry is lost. A power failure may lose entries, whose bytes the client
 * then sends again.
 */
export class WrittenLog {
  readonly #directory: string
  readonly #path: string
  #log: Promise<OpenLog> | undefined
  #pending: Buffer[] = []
  /** Entries of concurrent chunks are written together. */
  readonly #write = new GroupSync(async () => {
    const entries = this.#pending
    this.#pending = []
    const { file } = await this.begin()
    try {
      await file.appendFile(Buffer.concat(entries))
    } catch (error) {
      // A part of an entry may be left at the end; the log is written anew when it is opened again.
      await this.close()
      throw error
    }
  })

  constructor(directory: string) {
    this.#directory = directory
    this.#path = join(directory, WRITTEN_LOG)
  }

  /** Creates the log, which tells that the volume is being written to. */
  begin(): Promise<OpenLog> {
    const opening = (this.#log ??= this.#open())
    opening.catch(() => {
      if (this.#log === opening) this.#log = undefined
    })
    return opening
  }

  async #open(): Promise<OpenLog> {
    const { names, bytes, extents } = await this.#read()
    const needed = extents.list()
    const isShort = bytes <= (2 * needed.length + SPARE_ENTRIES) * ENTRY_BYTES
    if (names.length > 1 || bytes % ENTRY_BYTES > 0 || !isShort) {
      const entries = needed.map(({ offset, length }) => entryOf(offset, length))
      // A log by its name: if the process dies here, it is read beside the former ones.
      await writeFile(`${this.#path}.new`, Buffer.concat(entries))
      await rename(`${this.#path}.new`, this.#path)
      await this.#drop(names.filter((name) => name !== WRITTEN_LOG))
    }
    return { file: await open(this.#path, 'a'), extents }
  }

  /** The logs: one, and in volumes of earlier versions one of each process. */
  async #read() {
    const names = (await readdir(this.#directory).catch(ifMissing([]))).filter(isLog)
    const extents = new Extents()
    let bytes = 0
    for (const name of names) {
      const entries = await readFile(join(this.#directory, name))
      // An incomplete last entry is ignored.
      for (let at = 0; at + ENTRY_BYTES <= entries.length; at += ENTRY_BYTES) {
        extents.add(Number(entries.readBigUInt64LE(at)), Number(entries.readBigUInt64LE(at + 8)))
      }
      bytes += entries.length
    }
    return { names, bytes, extents }
  }

  async #drop(names: string[]): Promise<void> {
    for (const name of names) await rm(join(this.#directory, name), { force: true })
  }

  async add(offset: number, length: number): Promise<void> {
    const { extents } = await this.begin()
    if (extents.covers(offset, length)) return
    this.#pending.push(entryOf(offset, length))
    await this.#write.done()
    extents.add(offset, length)
  }

  async extents(): Promise<Extents> {
    const log = await this.#log?.catch(() => undefined)
    return (log ?? (await this.#read())).extents
  }

  async remove(): Promise<void> {
    await this.close()
    await this.#drop((await this.#read()).names)
  }

  /** Closes the file: other processes may write to it from now on. */
  async close(): Promise<void> {
    const log = this.#log
    this.#log = undefined
    // A file that could not be opened needs no closing.
    await (await log?.catch(() => undefined))?.file.close()
  }
}
