import { type FileHandle, open, readFile } from 'node:fs/promises'
import { Extents } from '@steading/control-plane'
import { ifMissing } from './files.ts'
import { GroupSync } from './group-sync.ts'

/** Two 64-bit numbers: offset and length. */
const ENTRY_BYTES = 16

/**
 * Where a volume has been written to, in a file beside its bytes, so that an import can go on where
 * it was cut off.
 *
 * An entry is written after its bytes are durable and before they are acknowledged, but not synced:
 * a process that dies loses none. A power failure may lose some, whose bytes are then sent again.
 */
export class WrittenLog {
  readonly #path: string
  #state: Promise<{ file: FileHandle; extents: Extents }> | undefined
  #pending: Buffer[] = []
  /** Entries of chunks that come together are written together. */
  readonly #write = new GroupSync(async () => {
    const entries = this.#pending
    this.#pending = []
    const { file } = await this.#open()
    await file.appendFile(Buffer.concat(entries))
  })

  constructor(path: string) {
    this.#path = path
  }

  #open() {
    this.#state ??= (async () => {
      const extents = await this.#read()
      const file = await open(this.#path, 'a')
      const { size } = await file.stat()
      await file.truncate(size - (size % ENTRY_BYTES))
      return { file, extents }
    })()
    // What failed is tried again by the next who comes.
    this.#state.catch(() => (this.#state = undefined))
    return this.#state
  }

  async #read(): Promise<Extents> {
    const extents = new Extents()
    const data = await readFile(this.#path).catch(ifMissing(Buffer.alloc(0)))
    // What is left of an entry that was cut off is ignored.
    for (let at = 0; at + ENTRY_BYTES <= data.length; at += ENTRY_BYTES) {
      extents.add(Number(data.readBigUInt64LE(at)), Number(data.readBigUInt64LE(at + 8)))
    }
    return extents
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
    return this.#state ? (await this.#state).extents : this.#read()
  }

  async close(): Promise<void> {
    const state = this.#state
    this.#state = undefined
    await (await state)?.file.close()
  }
}
