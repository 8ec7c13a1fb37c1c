import type { Stats } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, parse } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { DamagedBytes, type Extent } from '@steading/control-plane/ports'
import {
  copySparse,
  errorCode,
  ifMissing,
  ifThere,
  isZero,
  linkOrCopy,
  readInto,
  syncDirectory,
  writeFully,
} from '@steading/files'
import { isLog } from './names.ts'
import type { OpenFiles } from './open-files.ts'
import { SharedLock } from './shared-lock.ts'
import {
  BLOCK_BYTES,
  blockOf,
  isSums,
  isWhole,
  readBlocks,
  readSums,
  type Sums,
  sumOf,
  sumsPath,
  writeSums,
} from './sums.ts'
import { WrittenLog } from './written-log.ts'

/**
 * Size of one file in bytes. A volume is split into files so that a copy can share them by hard
 * links on any file system, and a write to a copy has to copy at most this much.
 */
export const SEGMENT_BYTES = 64 * 1024 * 1024
/** Milliseconds without a refresh after which a lock counts as left by a process that died. */
const ABANDONED_MS = 10_000
const LOCK_POLL_MS = 20
/** Error of a write after closing. */
export const CLOSED = 'the store is closed'
/** Name prefix of directories that are being removed. */
export const GONE = '.gone-'
const segmentName = (index: number): string => String(index).padStart(6, '0')
const isSegment = (name: string): boolean => /^\d{6,}$/.test(name)
/** Offset of a file in the volume. */
const offsetOf = (name: string): number => Number(name) * SEGMENT_BYTES
/** Blocks to check at a time, which keeps event-loop turns short. */
const BLOCKS_AT_ONCE = 4
const isSame = (one: Sums | undefined, other: Sums | undefined): boolean =>
  isDeepStrictEqual(one, other)

/** Files of a range of bytes: number, offset in the file, offset in the range, length. */
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
  #isClosed = false
  /** Writes clear checksums one after the other. */
  #forgetting: Promise<void> = Promise.resolve()
  /** Number of writes. */
  #writes = 0

  readonly #suffix: string

  /** @param suffix of this process's file names; empty if no other process shares the volume */
  constructor(directory: string, files: OpenFiles, suffix: string) {
    this.#directory = directory
    this.#files = files
    this.#suffix = suffix
    this.#log = new WrittenLog(directory, suffix)
  }

  /** Whether no operation is running. */
  get isUnused(): boolean {
    return this.#lock.isFree
  }

  write(offset: number, data: Uint8Array): Promise<void> {
    return this.#lock.shared(async () => {
      if (this.#isClosed) throw new Error(CLOSED)
      await this.#make()
      await this.#log.begin()
      for (const { name, at, done, size } of pieces(offset, data.length)) {
        await this.#forgetSums(name, at, size)
        await this.#writeSegment(name, at, data.subarray(done, done + size))
      }
      await this.#log.add(offset, data.length)
    })
  }

  /** @throws DamagedBytes if a block does not match its checksum */
  read(offset: number, length: number): Promise<Uint8Array> {
    return this.#lock.shared(async () => {
      const data = Buffer.alloc(length)
      for (const { name, at, done, size } of pieces(offset, length)) {
        await this.#readSegment(name, at, data.subarray(done, done + size))
      }
      return data
    })
  }

  async #readSegment(name: string, at: number, into: Buffer): Promise<void> {
    const path = join(this.#directory, name)
    for (;;) {
      const sums = await readSums(path)
      const file = await open(path).catch(ifMissing(undefined))
      if (!file && !sums) return
      try {
        if (!sums) {
          await readInto(file!, into, at)
          return
        }
        const first = Math.floor(at / BLOCK_BYTES)
        const count = Math.ceil((at + into.length) / BLOCK_BYTES) - first
        // Most reads are of whole blocks.
        const isAligned = at % BLOCK_BYTES === 0 && into.length % BLOCK_BYTES === 0
        const buffer = isAligned ? into : Buffer.alloc(count * BLOCK_BYTES)
        const bytes = await readBlocks(file, first, buffer)
        const isDamaged = (index: number) =>
          bytes === undefined || !isWhole(blockOf(bytes, index), sums.blocks[first + index])
        const damaged = Array.from({ length: count }, (_, index) => index).find(isDamaged)
        if (damaged === undefined) {
          if (!isAligned) buffer.copy(into, 0, at - first * BLOCK_BYTES)
          return
        }
        // A concurrent write may have changed the block.
        if (isSame(sums, await readSums(path))) {
          throw new DamagedBytes(offsetOf(name) + (first + damaged) * BLOCK_BYTES)
        }
      } finally {
        await file?.close()
      }
    }
  }

  /**
   * Reads all files and compares them with their checksums. Computes missing checksums once the
   * volume is not being written to.
   * @param pace awaited after each chunk, with its length
   * @returns the damaged ranges
   */
  async check(pace: (bytes: number) => Promise<void>): Promise<Extent[]> {
    const names = await readdir(this.#directory).catch(ifMissing([]))
    const segments = new Set(
      names.filter(isSegment).concat(names.filter(isSums).map((name) => parse(name).name)),
    )
    const damaged: Extent[] = []
    for (const name of [...segments].sort()) {
      for (const block of await this.#checkSegment(name, pace)) {
        const offset = offsetOf(name) + block * BLOCK_BYTES
        const last = damaged.at(-1)
        if (last && last.offset + last.length === offset) last.length += BLOCK_BYTES
        else damaged.push({ offset, length: BLOCK_BYTES })
      }
    }
    return damaged
  }

  /** @returns the damaged blocks of a file */
  async #checkSegment(name: string, pace: (bytes: number) => Promise<void>): Promise<number[]> {
    const path = join(this.#directory, name)
    const writes = this.#writes
    const sums = await readSums(path)
    const file = await open(path).catch(ifMissing(undefined))
    if (!file && !sums) return []
    try {
      const before = await file?.stat()
      const size = before?.size ?? 0
      const count = Math.ceil(Math.max(size, sums?.size ?? 0) / BLOCK_BYTES)
      const found: Sums = { size, blocks: [] }
      const damaged: number[] = []
      const buffer = Buffer.alloc(BLOCKS_AT_ONCE * BLOCK_BYTES)
      for (let first = 0; first < count; first += BLOCKS_AT_ONCE) {
        const some = Math.min(BLOCKS_AT_ONCE, count - first)
        const bytes = await readBlocks(file, first, buffer.subarray(0, some * BLOCK_BYTES))
        for (let index = 0; index < some; index++) {
          const known = sums?.blocks[first + index]
          const sum = bytes && sumOf(blockOf(bytes, index))
          if (sum === undefined || (known !== undefined && sum !== known)) {
            damaged.push(first + index)
          }
          found.blocks.push(known ?? sum)
        }
        await pace(some * BLOCK_BYTES)
      }
      // A concurrent write clears the checksums of the blocks it changes; another check may add some.
      const now = damaged.length > 0 ? await readSums(path) : sums
      const isUnchanged = (block: number) => now?.blocks[block] === sums?.blocks[block]
      const isComplete = sums?.blocks.length === count && !sums.blocks.includes(undefined)
      if (!isComplete && before) await this.#keepSums(path, found, before, writes)
      return damaged.filter(isUnchanged)
    } finally {
      await file?.close()
    }
  }

  /** Stores the checksums of a file, unless it has been written to since they were computed. */
  #keepSums(path: string, sums: Sums, before: Stats, writes: number): Promise<void> {
    return this.#lock.alone(async () => {
      await this.#files.closeBelow(this.#directory)
      const isQuiet = async () => !(await readdir(this.#directory)).some(isLog)
      const now = await stat(path).catch(ifMissing(undefined))
      const isUnchanged =
        now?.ino === before.ino && now.size === before.size && now.mtimeMs === before.mtimeMs
      if (!isUnchanged || this.#writes !== writes || !(await isQuiet())) return
      await writeSums(path, sums, this.#suffix)
      // Another process creates its log before it writes, and then sees the checksums.
      if (!(await isQuiet())) await rm(sumsPath(path), { force: true })
    })
  }

  /**
   * Clears the checksums of blocks durably before they are written to: a crash must not leave new
   * bytes with old checksums. The parts of a block that a write keeps must not be damaged.
   * @throws DamagedBytes
   */
  async #forgetSums(name: string, at: number, size: number): Promise<void> {
    this.#writes++
    const path = join(this.#directory, name)
    const first = Math.floor(at / BLOCK_BYTES)
    const end = Math.ceil((at + size) / BLOCK_BYTES)
    const isKnown = ({ blocks }: Sums) => blocks.slice(first, end).some((sum) => sum !== undefined)
    const seen = await readSums(path)
    if (!seen || !isKnown(seen)) return
    const forget = async () => {
      const lock = join(this.#directory, `.lock-${name}.sums`)
      let unlock: Awaited<ReturnType<typeof takeLock>>
      do unlock = await takeLock(lock, this.#suffix === '' ? 0 : ABANDONED_MS)
      while (!unlock)
      try {
        const sums = await readSums(path)
        if (!sums || !isKnown(sums)) return
        const file = await open(path).catch(ifMissing(undefined))
        try {
          for (const block of new Set([first, end - 1])) {
            const isCovered = at <= block * BLOCK_BYTES && at + size >= (block + 1) * BLOCK_BYTES
            if (isCovered || sums.blocks[block] === undefined) continue
            const bytes = await readBlocks(file, block, Buffer.alloc(BLOCK_BYTES))
            if (bytes && isWhole(bytes, sums.blocks[block])) continue
            throw new DamagedBytes(offsetOf(name) + block * BLOCK_BYTES)
          }
        } finally {
          await file?.close()
        }
        for (let block = first; block < end; block++) sums.blocks[block] = undefined
        await writeSums(path, sums, this.#suffix)
      } finally {
        await unlock()
      }
    }
    const mine = this.#forgetting.then(forget)
    this.#forgetting = mine.catch(() => {})
    await mine
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
   * Makes a copy that shares the files of this volume.
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
      // Checksums last: a file may be copied while it is written to.
      const shared = [...names.filter(isSegment), ...names.filter(isSums)]
      for (const name of shared) {
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

  /** Closes its files for good; later writes are refused. */
  close(): Promise<void> {
    return this.#lock.alone(() => {
      this.#isClosed = true
      return this.#closeFiles()
    })
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

  /** Opens a file for writing: a new one, or one that no other volume shares. */
  async #openSegment(path: string): Promise<FileHandle> {
    for (;;) {
      const file = await open(path, 'r+').catch(ifMissing(undefined))
      if (!file) {
        const created = await open(path, 'wx+').catch(ifThere(undefined))
        // Another process has created it first.
        if (!created) continue
        await syncDirectory(this.#directory)
        return created
      }
      // The path tells who shares the file: another process may have replaced it since it was
      // opened, and then the only link to the opened one is that of another volume.
      const there = await stat(path).catch(ifMissing(undefined))
      if (there?.nlink === 1 && there.ino === (await file.stat()).ino) return file
      await file.close()
      if (there && there.nlink > 1) await this.#makeOwn(path)
    }
  }

  /** Replaces a shared file by a copy, one process at a time. */
  async #makeOwn(path: string): Promise<void> {
    const lock = join(this.#directory, `.lock-${basename(path)}`)
    const unlock = await takeLock(lock, this.#suffix === '' ? 0 : ABANDONED_MS)
    if (!unlock) return
    const unfinished = join(this.#directory, `.own-${basename(path)}${this.#suffix}`)
    try {
      // The previous holder of the lock may have done this already.
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
 * Takes a lock, which is a file, and keeps refreshing its time.
 * @param abandonedMs after which a lock without a refresh counts as left by a process that died
 * @returns the function that releases it; undefined if another process held the lock and has
 * released it
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
