import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { DamagedBytes } from '@steading/control-plane/ports'
import {
  copySparse,
  ifMissing,
  isZero,
  linkOrCopy,
  readInto,
  syncDirectory,
  writeFully,
} from '@steading/files'
import { OpenFiles } from './open-files.ts'
import { SharedLock } from './shared-lock.ts'
import type { Reached } from './steps.ts'
import {
  BLOCK_BYTES,
  blockOf,
  dropNewSums,
  isSums,
  isWhole,
  readBlocks,
  readSums,
  type Sums,
  writeSums,
} from './sums.ts'
import { WrittenLog } from './written-log.ts'

/**
 * Size of one file in bytes. A volume is split into files so that a copy can share them by hard
 * links on any file system, and a write to a copy has to copy at most this much.
 */
export const SEGMENT_BYTES = 64 * 1024 * 1024
/** Name prefix of directories that are being removed. */
const GONE = '.gone-'
/** Name prefix of directories that are being copied to. */
const COPY = '.copy-'
/** The volume of an unfinished directory; earlier versions added the name of a process. */
export function idOfUnfinished(name: string): string | undefined {
  const prefix = [GONE, COPY].find((each) => name.startsWith(each))
  return prefix && name.slice(prefix.length).split('.', 1)[0]
}
const segmentName = (index: number): string => String(index).padStart(6, '0')
export const isSegment = (name: string): boolean => /^\d{6,}$/.test(name)
/** Offset of a file in the volume. */
export const offsetOf = (name: string): number => Number(name) * SEGMENT_BYTES
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

/**
 * One volume: a directory of sparse files. Missing files are zeros. All calls are made while this
 * process owns the volume, and its files are closed at the end of each turn.
 */
export class Volume {
  readonly #directory: string
  readonly #files = new OpenFiles()
  readonly #lock = new SharedLock()
  readonly #log: WrittenLog
  readonly #reached: Reached
  #made: Promise<void> | undefined
  /** Writes clear checksums one after the other. */
  #forgetting: Promise<void> = Promise.resolve()

  constructor(directory: string, reached: Reached) {
    this.#directory = directory
    this.#log = new WrittenLog(directory)
    this.#reached = reached
  }

  write(offset: number, data: Uint8Array): Promise<void> {
    return this.#lock.shared(async () => {
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

  /** Runs work while no other call of this process does. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#lock.alone(work)
  }

  /**
   * Clears the checksums of blocks durably before they are written to: a crash must not leave new
   * bytes with old checksums. The parts of a block that a write keeps must not be damaged.
   * @throws DamagedBytes
   */
  async #forgetSums(name: string, at: number, size: number): Promise<void> {
    const path = join(this.#directory, name)
    const first = Math.floor(at / BLOCK_BYTES)
    const end = Math.ceil((at + size) / BLOCK_BYTES)
    const isKnown = ({ blocks }: Sums) => blocks.slice(first, end).some((sum) => sum !== undefined)
    const seen = await readSums(path)
    if (!seen || !isKnown(seen)) return
    const forget = async () => {
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
      await writeSums(path, sums)
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
      await this.closeFiles()
      await dropNewSums(this.#directory)
      await this.#log.remove()
    })
  }

  /**
   * Makes a copy that shares the files of this volume, unless there is one. The caller owns both.
   * @returns whether there was anything to copy
   */
  copyTo(directory: string): Promise<boolean> {
    return this.#lock.alone(async () => {
      if (await exists(directory)) return true
      // A file that stays open for writing would change the shared bytes.
      await this.closeFiles()
      const names = await readdir(this.#directory).catch(ifMissing(undefined))
      if (!names) return false
      const unfinished = join(dirname(directory), COPY + basename(directory))
      await rm(unfinished, { recursive: true, force: true })
      await mkdir(unfinished)
      for (const name of names.filter((name) => isSegment(name) || isSums(name))) {
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
      await this.closeFiles()
      const leaving = join(dirname(this.#directory), GONE + basename(this.#directory))
      await rm(leaving, { recursive: true, force: true })
      const there = await rename(this.#directory, leaving).then(() => true, ifMissing(false))
      if (!there) return
      await syncDirectory(dirname(this.#directory))
      await rm(leaving, { recursive: true, force: true })
    })
  }

  /** Closes its files: other processes may change them from now on. */
  async closeFiles(): Promise<void> {
    this.#made = undefined
    await this.#files.close()
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
    const found = await stat(path).catch(ifMissing(undefined))
    if (!found) {
      const created = await open(path, 'wx+')
      await syncDirectory(this.#directory)
      return created
    }
    if (found.nlink > 1) await this.#makeOwn(path)
    await this.#reached('writing')
    return open(path, 'r+')
  }

  /** Replaces a shared file by a copy. */
  async #makeOwn(path: string): Promise<void> {
    const unfinished = join(this.#directory, `.own-${basename(path)}`)
    try {
      await rm(unfinished, { force: true })
      await copySparse(path, unfinished)
      await rename(unfinished, path)
      await syncDirectory(this.#directory)
    } finally {
      await rm(unfinished, { force: true })
    }
  }
}

const exists = (path: string): Promise<boolean> => stat(path).then(() => true, ifMissing(false))
