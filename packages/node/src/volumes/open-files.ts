import type { FileHandle } from 'node:fs/promises'
import { GroupSync } from './group-sync.ts'

/** Files kept open for the next write. */
const MAX_IDLE = 64

export interface OpenFile {
  file: FileHandle
  /** Everything written to the file before this call is durable when it returns. */
  sync: () => Promise<void>
}

interface Entry {
  ready: Promise<OpenFile>
  users: number
}

/** Files that are being written to, opened once for all who write. */
export class OpenFiles {
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>()

  async use<T>(
    path: string,
    open: () => Promise<FileHandle>,
    work: (open: OpenFile) => Promise<T>,
  ): Promise<T> {
    const entry = this.#entries.get(path) ?? this.#begin(path, open)
    this.#entries.delete(path)
    this.#entries.set(path, entry)
    entry.users++
    try {
      return await work(await entry.ready)
    } catch (error) {
      // After a sync that failed the kernel may take what was lost for written: start over.
      if (this.#entries.get(path) === entry) this.#entries.delete(path)
      throw error
    } finally {
      entry.users--
      if (this.#entries.get(path) !== entry && entry.users === 0) await close(entry)
      this.#trim()
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

  #trim(): void {
    for (const [path, entry] of this.#entries) {
      if (this.#entries.size <= MAX_IDLE) return
      if (entry.users > 0) continue
      this.#entries.delete(path)
      void close(entry)
    }
  }

  /** Closes files that nobody uses now: those below a directory. */
  async closeBelow(directory: string): Promise<void> {
    for (const [path, entry] of this.#entries) {
      if (!path.startsWith(directory)) continue
      this.#entries.delete(path)
      await close(entry)
    }
  }
}

/** What matters has been synced, so that nothing is lost when closing fails. */
const close = ({ ready }: Entry): Promise<void> =>
  ready.then(({ file }) => file.close()).catch(() => {})
