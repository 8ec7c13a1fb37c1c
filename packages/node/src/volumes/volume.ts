import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { errorCode } from '../errors.ts'
import { copySparse, ifMissing, ifThere, isZero, linkOrCopy, readInto } from './files.ts'
import { syncDirectory, writeFully } from './files.ts'
import type { OpenFiles } from './open-files.ts'
import { SharedLock } from './shared-lock.ts'
import { WrittenLog } from './written-log.ts'

/**
 * Bytes of one file. A volume is cut into files so that a copy can share them by hard links on any
 * file system, and a write to a copy has to copy at most this much.
 */
export const SEGMENT_BYTES = 64 * 1024 * 1024
/**
 * A lock that has not been refreshed for this long was left by a process that died. Milliseconds.
 */
const ABANDONED_MS = 10_000
const LOCK_POLL_MS = 20
/** Names of directories that are being removed begin with this. */
export const GONE = '.gone-'
const segmentName = (index: number): string => String(index).padStart(6, '0')
const isSegment = (name: string): boolean => /^\d{6,}$/.test(name)

/**
 * The files that a range of bytes is in: number, offset in the file, offset in the range, length.
 */
function* pieces(offset: number, length: number) {
  for (let done = 0; done < length;) {
    const at = (offset + done) % SEGMENT_BYTES
    const size = Math.min(SEGMENT_BYTES - at, length - done)
    yield { name: segmentName(Math.floor((offset + done) / SEGMENT_BYTES)), at, done, size }
    done += size
  }
}

/** One volume: a directory of sparse files. Missing files are zeros. */
export class Volume {
  readonly #directory: string
  readonly #files: OpenFiles
  readonly #lock = new SharedLock()
  readonly #log: WrittenLog
  #made: Promise<void> | undefined

  readonly #suffix: string

  /** @param suffix of the names of this process; empty if no other process shares the volume */
  constructor(directory: string, files: OpenFiles, suffix: string) {
    this.#directory = directory
    this.#files = files
    this.#suffix = suffix
    this.#log = new WrittenLog(directory, suffix)
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
      await this.#log.remove()
    })
  }

  /**
   * Makes a copy that shares the files of this one.
   * @returns whether there was anything to copy
   */
  copyTo(directory: string): Promise<boolean> {
    return this.#lock.alone(async () => {
      // A file that stays open for writing would change the shared bytes.
      await this.#closeFiles()
      const names = await readdir(this.#directory).catch(ifMissing(undefined))
      if (!names) return false
      const unfinished = join(dirname(directory), `.copy-${basename(directory)}${this.#suffix}`)
      await rm(unfinished, { recursive: true, force: true })
      await mkdir(unfinished)
      for (const name of names.filter(isSegment)) {
        await linkOrCopy(join(this.#directory, name), join(unfinished, name))
      }
      await syncDirectory(unfinished)
      try {
        await rename(unfinished, directory)
      } catch (error) {
        // Another process has made the same copy.
        if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error
        await rm(unfinished, { recursive: true, force: true })
      }
      await syncDirectory(dirname(directory))
      return true
    })
  }

  remove(): Promise<void> {
    return this.#lock.alone(async () => {
      await this.#closeFiles()
      this.#made = undefined
      const leaving = join(
        dirname(this.#directory),
        GONE + basename(this.#directory) + this.#suffix,
      )
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
    // A missing file already reads as zeros.
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
    for (;;) {
      const file = await open(path, 'r+').catch(ifMissing(undefined))
      if (!file) {
        const created = await open(path, 'wx+').catch(ifThere(undefined))
        // Another process has made it first.
        if (!created) continue
        await syncDirectory(this.#directory)
        return created
      }
      if ((await file.stat()).nlink === 1) return file
      await file.close()
      await this.#makeOwn(path)
    }
  }

  /** Replaces a shared file by a copy, one process at a time. */
  async #makeOwn(path: string): Promise<void> {
    const lock = join(this.#directory, `.lock-${basename(path)}`)
    const unlock = await takeLock(lock, this.#suffix === '' ? 0 : ABANDONED_MS)
    if (!unlock) return
    const unfinished = join(this.#directory, `.own-${basename(path)}${this.#suffix}`)
    try {
      // Another process, which had the lock before, may have done this already.
      if ((await stat(path)).nlink === 1) return
      await rm(unfinished, { force: true })
      await copySparse(path, unfinished)
      await rename(unfinished, path)
      await syncDirectory(this.#directory)
    } finally {
      await rm(unfinished, { force: true })
      await unlock()
    }
  }
}

/**
 * Takes a lock, which is a file, and refreshes its time.
 * @param abandonedMs after which a lock that is not refreshed counts as left by a process that died
 * @returns the function that releases it; undefined if another process had the lock and has
 *   released it
 */
async function takeLock(
  path: string,
  abandonedMs: number,
): Promise<(() => Promise<void>) | undefined> {
  const file = await open(path, 'wx').catch(ifThere(undefined))
  if (file) {
    const refresh = () => void file.utimes(new Date(), new Date()).catch(() => {})
    const timer = setInterval(refresh, ABANDONED_MS / 5)
    return async () => {
      clearInterval(timer)
      await file.close()
      await rm(path, { force: true })
    }
  }
  let [seen, since] = ['', performance.now()]
  for (;;) {
    const found = await stat(path).catch(ifMissing(undefined))
    if (!found) return undefined
    const now = `${found.ino} ${found.mtimeMs}`
    if (now !== seen) [seen, since] = [now, performance.now()]
    if (performance.now() - since >= abandonedMs) await rm(path, { force: true })
    else await pause(LOCK_POLL_MS)
  }
}

const exists = (path: string): Promise<boolean> =>
  open(path).then(async (file) => {
    await file.close()
    return true
  }, ifMissing(false))
