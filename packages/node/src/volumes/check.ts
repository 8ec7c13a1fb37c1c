/** Compares the bytes of a volume with their checksums. */
import { open, readdir, stat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import type { Extent, Throttle } from '@steading/control-plane/ports'
import { ifMissing } from '@steading/files'
import { isLog } from './names.ts'
import type { Reached } from './steps.ts'
import {
  beginSums,
  BLOCK_BYTES,
  blockOf,
  isSums,
  readBlocks,
  readSums,
  type Sums,
  sumOf,
} from './sums.ts'
import { isSegment, offsetOf } from './volume.ts'

/** Blocks to check in one turn with the volume; it keeps turns of the event loop short as well. */
const BLOCKS_AT_ONCE = 8

/** Runs work while nobody else works with the volume. */
type Alone = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Reads all files of a volume and compares them with their checksums. Computes missing checksums
 * once the volume is not being written to. Others work with it in between.
 * @param throttle awaited after each chunk, with its length
 * @returns the damaged ranges
 */
export async function checkVolume(
  directory: string,
  alone: Alone,
  throttle: Throttle,
  reached: Reached,
): Promise<Extent[]> {
  const names = await alone(() => namesIn(directory))
  const segments = new Set(
    names.filter(isSegment).concat(names.filter(isSums).map((name) => parse(name).name)),
  )
  const damaged: Extent[] = []
  for (const name of [...segments].sort()) {
    for (const block of await checkSegment(directory, name, alone, throttle, reached)) {
      const offset = offsetOf(name) + block * BLOCK_BYTES
      const last = damaged.at(-1)
      if (last && last.offset + last.length === offset) last.length += BLOCK_BYTES
      else damaged.push({ offset, length: BLOCK_BYTES })
    }
  }
  return damaged
}

/** @returns the damaged blocks of a file */
async function checkSegment(
  directory: string,
  name: string,
  alone: Alone,
  throttle: Throttle,
  reached: Reached,
): Promise<number[]> {
  const path = join(directory, name)
  const { size, count, adding } = await alone(() => begin(directory, path))
  try {
    const found: Sums = { size, blocks: [] }
    const damaged: number[] = []
    for (let first = 0; first < count; first += BLOCKS_AT_ONCE) {
      const some = Math.min(BLOCKS_AT_ONCE, count - first)
      for (const { sum, known } of await alone(() => sumsOf(path, first, some))) {
        if (sum === undefined || (known !== undefined && sum !== known)) {
          damaged.push(found.blocks.length)
        }
        found.blocks.push(known ?? sum)
      }
      await throttle(some * BLOCK_BYTES)
    }
    if (adding) {
      await alone(async () => {
        if (!(await isQuiet(directory))) return
        await reached('summing')
        await adding.keep(found)
      })
    }
    return damaged
  } finally {
    await adding?.end()
  }
}

/** Begins new checksums of a file if some are missing and nobody is writing to the volume. */
async function begin(directory: string, path: string) {
  const sums = await readSums(path)
  const size = await stat(path).then((found) => found.size, ifMissing(undefined))
  const count = Math.ceil(Math.max(size ?? 0, sums?.size ?? 0) / BLOCK_BYTES)
  const isComplete = sums?.blocks.length === count && !sums.blocks.includes(undefined)
  const adds = size !== undefined && !isComplete && (await isQuiet(directory))
  return { size: size ?? 0, count, adding: adds ? await beginSums(path) : undefined }
}

const namesIn = (directory: string): Promise<string[]> =>
  readdir(directory).catch(ifMissing([] as string[]))

/**
 * Whether nobody is writing to a volume: the first write creates the log. Only sealing removes the
 * log, and drops the checksums that are being computed. So nothing has been written since these were
 * begun, if they are still there and the volume is quiet.
 */
const isQuiet = async (directory: string): Promise<boolean> =>
  !(await namesIn(directory)).some(isLog)

/** The checksums of blocks: of their bytes, undefined if the medium fails, and the stored ones. */
async function sumsOf(path: string, first: number, count: number) {
  const sums = await readSums(path)
  const file = await open(path).catch(ifMissing(undefined))
  try {
    const bytes = await readBlocks(file, first, Buffer.alloc(count * BLOCK_BYTES))
    return Array.from({ length: count }, (_, index) => ({
      sum: bytes && sumOf(blockOf(bytes, index)),
      known: sums?.blocks[first + index],
    }))
  } finally {
    await file?.close()
  }
}
