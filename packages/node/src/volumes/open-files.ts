import type { FileHandle } from 'node:fs/promises'
import { GroupSync } from './group-sync.ts'

export interface OpenFile {
  file: FileHandle
  /** Everything written to the file before this call is durable when it returns. */
  sync: () => Promise<void>
}

interface Entry {
  ready: Promise<OpenFile>
  users: number
}

/** The files of a volume being written to, each opened once for all its writers. */
export class OpenFiles {
  readonly #entries = new Map<string, Entry>()

  async use<T>(
    path: string,
    open: () => Promise<FileHandle>,
    work: (open: OpenFile) => Promise<T>,
  ): Promise<T> {
    const entry = this.#entries.get(path) ?? this.#begin(path, open)
    entry.users++
    try {
      return await work(await entry.ready)
    } catch (error) {
      // After a failed sync the kernel may count lost pages as written, so the file has to be
      // reopened.
      if (this.#entries.get(path) === entry) this.#entries.delete(path)
      throw error
    } finally {
      entry.users--
      if (this.#entries.get(path) !== entry && entry.users === 0) await close(entry)
    }
  }

  #begin(path: string, open: () => Promise<FileHandle>): Entry {
    const ready = open().then((file) => {
      const group = new GroupSync(() => file.datasync())
      return { file, sync: () => group.done() }
    })
    const entry = { ready, users: 0 }
    this.#entries.set(path, entry)
    return entry
  }

  /** Closes all files; nobody uses them. */
  async close(): Promise<void> {
    const entries = [...this.#entries.values()]
    this.#entries.clear()
    for (const entry of entries) await close(entry)
  }
}

/** All acknowledged writes have been synced, so nothing is lost if closing fails. */
const close = ({ ready }: Entry): Promise<void> =>
  ready.then(({ file }) => file.close()).catch(() => {})
