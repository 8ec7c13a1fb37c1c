import { type FileHandle, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Extents } from '@steading/control-plane'
import { ifMissing, openUsable } from '@steading/files'
import { GroupSync } from './group-sync.ts'
import { isLog, WRITTEN_LOG } from './names.ts'
import { SharedLock } from './shared-lock.ts'

/** Two 64-bit numbers: offset and length. */
const ENTRY_BYTES = 16

/**
 * Log of the ranges written to a volume, in a file beside its bytes, so that an interrupted import
 * can resume. Each process that shares the volume has its own file, because on a network file
 * system, appends of two machines to one file overwrite each other.
 *
 * An entry is written after its bytes are durable and before they are acknowledged, but not synced:
 * if the process dies, no entry is lost. A power failure may lose entries, whose bytes the client
 * then sends again.
 */
export class WrittenLog {
  readonly #directory: string
  readonly #suffix: string
  #state: Promise<{ file: FileHandle; extents: Extents }> | undefined
  #pending: Buffer[] = []
  /** Entries of concurrent chunks are written together. */
  readonly #write = new GroupSync(async () => {
    const entries = this.#pending
    this.#pending = []
    await this.#replacing.shared(async () => {
      const { file } = await this.#open()
      await file.appendFile(Buffer.concat(entries))
    })
  })
  /** Held while the file is replaced. */
  readonly #replacing = new SharedLock()

  /** @param suffix of this process's file names; empty if no other process shares the volume */
  constructor(directory: string, suffix: string) {
    this.#directory = directory
    this.#suffix = suffix
  }

  #open() {
    if (this.#state) return this.#state
    const state = (async () => {
      const extents = await this.#read()
      const path = join(this.#directory, WRITTEN_LOG + this.#suffix)
      const file = await openUsable(path, 'a', async (opened) => {
        const { size } = await opened.stat()
        await opened.truncate(size - (size % ENTRY_BYTES))
      })
      return { file, extents }
    })()
    this.#state = state
    // After a failure, the next call tries again.
    state.catch(() => {
      if (this.#state === state) this.#state = undefined
    })
    return state
  }

  /** The log files of all processes. */
  async #files(): Promise<string[]> {
    const names = await readdir(this.#directory).catch(ifMissing([]))
    return names.filter(isLog).map((name) => join(this.#directory, name))
  }

  async #read(): Promise<Extents> {
    const extents = new Extents()
    for (const path of await this.#files()) {
      const data = await readFile(path).catch(ifMissing(Buffer.alloc(0)))
      // An incomplete last entry is ignored.
      for (let at = 0; at + ENTRY_BYTES <= data.length; at += ENTRY_BYTES) {
        extents.add(Number(data.readBigUInt64LE(at)), Number(data.readBigUInt64LE(at + 8)))
      }
    }
    return extents
  }

  /** Creates the log of this process, which tells others that the volume is being written to. */
  async begin(): Promise<void> {
    if (this.#suffix === '') {
      await this.#open()
      return
    }
    const isThere = async () => (await (await this.#open()).file.stat()).nlink > 0
    // Another process may have sealed the volume since.
    while (!(await this.#replacing.shared(isThere))) {
      // Of concurrent writes that find it sealed, the first one creates a new log.
      await this.#replacing.alone(async () => (await isThere()) || this.close())
    }
  }

  async add(offset: number, length: number): Promise<void> {
    const { extents } = await this.#open()
    if (extents.covers(offset, length)) return
    const entry = Buffer.alloc(ENTRY_BYTES)
    entry.writeBigUInt64LE(BigInt(offset), 0)
    entry.writeBigUInt64LE(BigInt(length), 8)
    this.#pending.push(entry)
    await this.#write.done()
    extents.add(offset, length)
  }

  async extents(): Promise<Extents> {
    // Other processes may have written since.
    if (this.#suffix !== '' || !this.#state) return this.#read()
    return (await this.#state).extents
  }

  /** Removes the logs of all processes. */
  async remove(): Promise<void> {
    for (const path of await this.#files()) await rm(path, { force: true })
  }

  async close(): Promise<void> {
    const state = this.#state
    this.#state = undefined
    // A file that could not be opened needs no closing.
    const opened = await state?.catch(() => undefined)
    await opened?.file.close()
  }
}
