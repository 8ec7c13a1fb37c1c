/**
 * The tables of images, which map the blocks of a disk to bytes of the file. QEMU walks all entries,
 * so a small file with large tables, or with many entries for the same table, would keep it busy for
 * hours. A sound file has room for everything that its tables refer to.
 */
import { type ImageFormat, imageProblems, type ReadImage, vhdxTables } from '@steading/api/rules'

const MiB = 1024 * 1024
const SECTOR = 512
/** Bytes of a table per read. */
const PIECE = MiB
/** Larger ones are refused by QEMU. */
const L1_MAX = 32 * MiB
const REFCOUNTS_MAX = 8 * MiB
/** Snapshots inside of a qcow2 image, each with a table of its own. */
const SNAPSHOTS_MAX = 256

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** A table of 64-bit numbers. */
interface Table {
  offset: number
  entries: number
}

/** Counts the entries of a table that are in use; undefined if the table is not wholly in the file. */
async function usedEntries(
  read: ReadImage,
  { offset, entries }: Table,
): Promise<number | undefined> {
  let count = 0
  for (let at = 0; at < entries * 8; at += PIECE) {
    const length = Math.min(PIECE, entries * 8 - at)
    const bytes = await read(offset + at, length)
    if (bytes.length < length) return undefined
    const view = viewOf(bytes)
    for (let each = 0; each < length; each += 8) if (view.getBigUint64(each) !== 0n) count++
  }
  return count
}

async function qcow2Problem(read: ReadImage, bytes: number): Promise<string | undefined> {
  const head = viewOf(await read(0, 104))
  if (head.byteLength < 72) return imageProblems.truncated
  const bits = head.getUint32(20)
  if (bits < 9 || bits > 21) return imageProblems.damaged
  const cluster = 2 ** bits
  const size = Number(head.getBigUint64(24))
  const l1 = { entries: head.getUint32(36), offset: Number(head.getBigUint64(40)) }
  const refcounts = {
    entries: (head.getUint32(56) * cluster) / 8,
    offset: Number(head.getBigUint64(48)),
  }
  const clusters = Math.ceil(bytes / cluster)
  // An L1 entry refers to an L2 table of one cluster, with an entry for each cluster of the disk.
  if (l1.entries < Math.ceil(size / (cluster * (cluster / 8)))) return imageProblems.damaged
  if (l1.entries * 8 > L1_MAX || refcounts.entries * 8 > REFCOUNTS_MAX) return imageProblems.tooMuch
  if (head.getUint32(60) > SNAPSHOTS_MAX) return imageProblems.tooMuch
  for (const table of [l1, refcounts]) {
    const count = await usedEntries(read, table)
    if (count === undefined) return imageProblems.truncated
    if (count > clusters) return imageProblems.damaged
  }
  return undefined
}

async function vmdkProblem(read: ReadImage, bytes: number): Promise<string | undefined> {
  const head = viewOf(await read(0, SECTOR))
  if (head.byteLength < SECTOR) return imageProblems.truncated
  const capacity = Number(head.getBigUint64(12, true))
  const grain = Number(head.getBigUint64(20, true))
  const grains = head.getUint32(44, true)
  // By the specification a grain has more than eight sectors, and a table 512 grains.
  if (grain < 8 || grains !== 512) return imageProblems.damaged
  const tables = Math.ceil(capacity / (grain * grains))
  return tables * 4 > bytes ? imageProblems.damaged : undefined
}

async function vhdxProblem(read: ReadImage, bytes: number): Promise<string | undefined> {
  const found = await vhdxTables(read)
  if (!found) return imageProblems.damaged
  const { size, blockSize, blocks } = found
  if (blocks.offset + blocks.length > bytes) return imageProblems.truncated
  if (blockSize < MiB || blockSize > 256 * MiB) return imageProblems.damaged
  return Math.ceil(size / blockSize) * 8 > blocks.length ? imageProblems.damaged : undefined
}

/** Why the tables of an image cannot be those of its disk; a sentence for the user. */
export async function tableProblem(
  format: ImageFormat,
  read: ReadImage,
  bytes: number,
): Promise<string | undefined> {
  if (format === 'qcow2') return qcow2Problem(read, bytes)
  if (format === 'vmdk') return vmdkProblem(read, bytes)
  if (format === 'vhdx') return vhdxProblem(read, bytes)
  return undefined
}
