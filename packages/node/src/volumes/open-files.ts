import { type FileHandle, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ifMissing } from '@steading/files'
import { GroupSync } from './group-sync.ts'

/** Number of unused files kept open for the next write. */
const MAX_IDLE = 64

export interface OpenFile {
  file: FileHandle
  inode: number
  /** Everything written to the file before this call is durable when it returns. */
  sync: () => Promise<void>
}

interface Entry {
  ready: Promise<OpenFile>
  users: number
}

/** Files being written to, each opened once for all its writers. */
export class OpenFiles {
  readonly #shared: boolean

  /** @param shared whether other processes may replace or link the files */
  constructor(shared: boolean) {
    this.#shared = shared
  }

  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>()

  async use<T>(
    path: string,
    open: () => Promise<FileHandle>,
    work: (open: OpenFile) => Promise<T>,
  ): Promise<T> {
    const entry = await this.#hold(path, open)
    // Another file of that path may have replaced it.
    if (this.#entries.get(path) === entry) {
      this.#entries.delete(path)
      this.#entries.set(path, entry)
    }
    try {
      return await work(await entry.ready)
    } catch (error) {
      // After a failed sync the kernel may count lost pages as written, so the file has to be
      // reopened.
      if (this.#entries.get(path) === entry) this.#entries.delete(path)
      throw error
    } finally {
      await this.#letGo(path, entry)
      this.#trim()
    }
  }

  /** Returns the open file of a path, with one more user. */
  async #hold(path: string, open: () => Promise<FileHandle>): Promise<Entry> {
    const entry = this.#entries.get(path)
    if (!entry) return this.#begin(path, open)
    entry.users++
    if (!this.#shared || (await isCurrent(path, entry))) return entry
    if (this.#entries.get(path) === entry) this.#entries.delete(path)
    await this.#letGo(path, entry)
    return this.#hold(path, open)
  }

  async #letGo(path: string, entry: Entry): Promise<void> {
    entry.users--
    if (this.#entries.get(path) !== entry && entry.users === 0) await close(entry)
  }

  #begin(path: string, open: () => Promise<FileHandle>): Entry {
    const ready = open().then(async (file) => {
      try {
        const group = new GroupSync(() => file.datasync())
        const { ino: inode } = await file.stat()
        return { file, inode, sync: () => group.done() }
      } catch (error) {
        await file.close()
        throw error
      }
    })
    const entry = { ready, users: 1 }
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

  /** Closes the unused files in a directory. */
  async closeBelow(directory: string): Promise<void> {
    for (const [path, entry] of this.#entries) {
      if (dirname(path) !== directory) continue
      this.#entries.delete(path)
      await close(entry)
    }
  }
}

/** All acknowledged writes have been synced, so nothing is lost if closing fails. */
const close = ({ ready }: Entry): Promise<void> =>
  ready.then(({ file }) => file.close()).catch(() => {})

/** Whether a path still refers to the opened file, and is its only link. */
async function isCurrent(path: string, { ready }: Entry): Promise<boolean> {
  const there = await stat(path).catch(ifMissing(undefined))
  const opened = await ready.catch(() => undefined)
  return there !== undefined && there.ino === opened?.inode && there.nlink === 1
}
