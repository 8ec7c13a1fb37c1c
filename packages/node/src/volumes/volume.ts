import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { copySparse, ifMissing, isZero, linkOrCopy, readInto } from './files.ts'
import { syncDirectory, writeFully } from './files.ts'
import type { OpenFiles } from './open-files.ts'
import { SharedLock } from './shared-lock.ts'
import { WrittenLog } from './written-log.ts'

/**
 * Bytes of one file. A volume is cut into files so that a copy can share them by name, on any file
 * system, and a write to a copy has only this much to copy.
 */
export const SEGMENT_BYTES = 64 * 1024 * 1024
const LOG = 'written'
const segmentName = (index: number): string => String(index).padStart(6, '0')
const isSegment = (name: string): boolean => /^\d{6,}$/.test(name)

/** The files a stretch of bytes is in: which, where in it, where in the stretch, and how much. */
function* pieces(offset: number, length: number) {
  for (let done = 0; done < length;) {
    const at = (offset + done) % SEGMENT_BYTES
    const size = Math.min(SEGMENT_BYTES - at, length - done)
    yield { name: segmentName(Math.floor((offset + done) / SEGMENT_BYTES)), at, done, size }
    done += size
  }
}

/** One volume: a directory of sparse files. Those that are missing are zeros. */
export class Volume {
  readonly #directory: string
  readonly #files: OpenFiles
  readonly #lock = new SharedLock()
  readonly #log: WrittenLog
  #made: Promise<void> | undefined

  constructor(directory: string, files: OpenFiles) {
    this.#directory = directory
    this.#files = files
    this.#log = new WrittenLog(join(directory, LOG))
  }

  write(offset: number, data: Uint8Array): Promise<void> {
    return this.#lock.shared(async () => {
      await this.#make()
      for (const { name, at, done, size } of pieces(offset, data.length)) {
        await this.#writeSegment(name, at, data.subarray(done, done + size))
      }
      await this.#log.add(offset, data.length)
    })
  }

  read(offset: number, length: number): Promise<Uint8Array> {
    return this.#lock.shared(async () => {
      const data = Buffer.alloc(length)
      for (const { name, at, done, size } of pieces(offset, length)) {
        const file = await open(join(this.#directory, name)).catch(ifMissing(undefined))
        if (!file) continue
        try {
          await readInto(file, data.subarray(done, done + size), at)
        } finally {
          await file.close()
        }
      }
      return data
    })
  }

  async written() {
    return (await this.#log.extents()).list()
  }

  seal(): Promise<void> {
    return this.#lock.alone(async () => {
      await this.#closeFiles()
      await rm(join(this.#directory, LOG), { force: true })
    })
  }

  /**
   * Makes a copy that shares the files of this one.
   * @returns whether there was anything to copy
   */
  copyTo(directory: string): Promise<boolean> {
    return this.#lock.alone(async () => {
      // Files that are open for writing would go on writing to what is shared now.
      await this.#closeFiles()
      const names = await readdir(this.#directory).catch(ifMissing(undefined))
      if (!names) return false
      const unfinished = join(dirname(directory), `.copy-${basename(directory)}`)
      await rm(unfinished, { recursive: true, force: true })
      await mkdir(unfinished)
      for (const name of names.filter(isSegment)) {
        await linkOrCopy(join(this.#directory, name), join(unfinished, name))
      }
      await syncDirectory(unfinished)
      await rename(unfinished, directory)
      await syncDirectory(dirname(directory))
      return true
    })
  }

  remove(): Promise<void> {
    return this.#lock.alone(async () => {
      await this.#closeFiles()
      this.#made = undefined
      const leaving = join(dirname(this.#directory), `.gone-${basename(this.#directory)}`)
      await rm(leaving, { recursive: true, force: true })
      const there = await rename(this.#directory, leaving).then(() => true, ifMissing(false))
      if (!there) return
      await syncDirectory(dirname(this.#directory))
      await rm(leaving, { recursive: true, force: true })
    })
  }

  close(): Promise<void> {
    return this.#lock.alone(() => this.#closeFiles())
  }

  async #closeFiles(): Promise<void> {
    await this.#files.closeBelow(this.#directory)
    await this.#log.close()
  }

  #make(): Promise<void> {
    this.#made ??= (async () => {
      await mkdir(this.#directory, { recursive: true })
      await syncDirectory(dirname(this.#directory))
    })()
    this.#made.catch(() => (this.#made = undefined))
    return this.#made
  }

  async #writeSegment(name: string, at: number, data: Uint8Array): Promise<void> {
    const path = join(this.#directory, name)
    // Zeros where there is no file yet are there already.
    if (isZero(data) && !(await exists(path))) return
    await this.#files.use(
      path,
      () => this.#openSegment(path),
      async ({ file, sync }) => {
        await writeFully(file, data, at)
        await sync()
      },
    )
  }

  /** Opens a file for writing: a new one, or one that belongs to this volume alone. */
  async #openSegment(path: string): Promise<FileHandle> {
    const file = await open(path, 'r+').catch(ifMissing(undefined))
    if (!file) {
      const created = await open(path, 'wx+')
      await syncDirectory(this.#directory)
      return created
    }
    if ((await file.stat()).nlink === 1) return file
    await file.close()
    const unfinished = join(this.#directory, `.own-${basename(path)}`)
    await rm(unfinished, { force: true })
    await copySparse(path, unfinished)
    await rename(unfinished, path)
    await syncDirectory(this.#directory)
    return open(path, 'r+')
  }
}

const exists = (path: string): Promise<boolean> =>
  open(path).then(async (file) => {
    await file.close()
    return true
  }, ifMissing(false))
