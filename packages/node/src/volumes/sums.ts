/**
 * Block checksums of a volume file, in a file beside it. Format: `STEADVS1`, size of a block and of
 * the file (32 bits each), then for each block whether its checksum is known (8 bits) and the
 * checksum (32 bits), and a checksum of all that. Blocks in files of earlier versions have none
 * until their first check.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { errorCode, ifMissing, readInto, syncDirectory } from '@steading/files'

/** Bytes of a block. */
export const BLOCK_BYTES = 64 * 1024

const MAGIC = Buffer.from('STEADVS1')
const HEADER_BYTES = MAGIC.length + 8
const ENTRY_BYTES = 5
const SUM_BYTES = 4

export interface Sums {
  /** Bytes of the file; beyond them are zeros. */
  size: number
  /** Checksum per block; undefined where unknown. */
  blocks: (number | undefined)[]
}

export const sumsPath = (path: string): string => `${path}.sums`
export const isSums = (name: string): boolean => /^\d{6,}\.sums$/.test(name)

function encode({ size, blocks }: Sums): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + blocks.length * ENTRY_BYTES + SUM_BYTES)
  MAGIC.copy(bytes)
  bytes.writeUInt32LE(BLOCK_BYTES, MAGIC.length)
  bytes.writeUInt32LE(size, MAGIC.length + 4)
  blocks.forEach((sum, index) => {
    const at = HEADER_BYTES + index * ENTRY_BYTES
    bytes.writeUInt8(sum === undefined ? 0 : 1, at)
    bytes.writeUInt32LE(sum ?? 0, at + 1)
  })
  const end = bytes.length - SUM_BYTES
  bytes.writeUInt32LE(crc32(bytes.subarray(0, end)), end)
  return bytes
}

function decode(bytes: Buffer): Sums | undefined {
  const end = bytes.length - SUM_BYTES
  if (end < HEADER_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32LE(end)) return undefined
  if (bytes.readUInt32LE(MAGIC.length) !== BLOCK_BYTES) return undefined
  const blocks: Sums['blocks'] = []
  for (let at = HEADER_BYTES; at < end; at += ENTRY_BYTES) {
    blocks.push(bytes.readUInt8(at) === 1 ? bytes.readUInt32LE(at + 1) : undefined)
  }
  return { size: bytes.readUInt32LE(MAGIC.length + 4), blocks }
}

/** Checksums of a file; undefined if missing or unreadable. */
export async function readSums(path: string): Promise<Sums | undefined> {
  const bytes = await readFile(sumsPath(path)).catch(ifMissing(undefined))
  return bytes && decode(bytes)
}

/** Prefix of the names of new checksums, which have yet to replace the former ones. */
const UNFINISHED = '.sums-'
const isUnfinishedSums = (name: string): boolean => name.startsWith(UNFINISHED)

/** Checksums of a file that are being computed. */
export interface NewSums {
  /**
   * Replaces the former checksums durably.
   * @returns false if they have been dropped meanwhile (`dropNewSums`)
   */
  keep: (sums: Sums) => Promise<boolean>
  /** Removes the rest of them. */
  end: () => Promise<void>
}

export async function beginSums(path: string): Promise<NewSums> {
  const unfinished = join(dirname(path), `${UNFINISHED}${basename(path)}-${randomUUID()}`)
  const file = await open(unfinished, 'wx', 0o600)
  return {
    async keep(sums) {
      await file.writeFile(encode(sums))
      await file.datasync()
      const kept = await rename(unfinished, sumsPath(path)).then(() => true, ifMissing(false))
      if (kept) await syncDirectory(dirname(path))
      return kept
    },
    async end() {
      await file.close()
      await rm(unfinished, { force: true })
    },
  }
}

/** Drops all checksums of a volume that are being computed. */
export async function dropNewSums(directory: string): Promise<void> {
  const names = await readdir(directory).catch(ifMissing([] as string[]))
  for (const name of names.filter(isUnfinishedSums))
    await rm(join(directory, name), { force: true })
}

/** Replaces the checksums of a file durably. */
export async function writeSums(path: string, sums: Sums): Promise<void> {
  const replacing = await beginSums(path)
  try {
    await replacing.keep(sums)
  } finally {
    await replacing.end()
  }
}

/**
 * Reads whole blocks of a file; beyond its end are zeros. Undefined if the medium fails.
 * @param bytes buffer to fill
 */
export async function readBlocks(
  file: FileHandle | undefined,
  begin: number,
  bytes: Buffer,
): Promise<Buffer | undefined> {
  bytes.fill(0)
  try {
    if (file) await readInto(file, bytes, begin * BLOCK_BYTES)
  } catch (error) {
    if (errorCode(error) !== 'EIO') throw error
    return undefined
  }
  return bytes
}

export const blockOf = (bytes: Buffer, index: number): Buffer =>
  bytes.subarray(index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES)

/** Whether a block matches its checksum, or has none. */
export const isWhole = (block: Buffer, sum: number | undefined): boolean =>
  sum === undefined || crc32(block) === sum

/** The checksum of a block. */
export const sumOf = (block: Buffer): number => crc32(block)
