import { IMPORT_CHUNK_MAX, isZero, MiB, RAW_CHUNK_MAX } from '@steading/api/rules'
import type { Extent } from './upload-state.ts'

export const CHUNK_SIZE = IMPORT_CHUNK_MAX
export const PARALLEL = 6
/**
 * Minimum size of files sent as raw bytes, which is several times faster, if the control plane
 * accepts that.
 */
const RAW_FROM = 64 * MiB

/** The size of the chunks: larger ones for large files, where raw bytes are accepted. */
export const chunkSizeOf = ({ size }: Blob, canSendRaw: boolean): number =>
  canSendRaw && size >= RAW_FROM ? RAW_CHUNK_MAX : CHUNK_SIZE

/** The file was changed or removed while it was read. */
export class UnreadableFileError extends Error {
  constructor(cause: unknown) {
    super('The file could not be read. It may have been changed, moved or deleted.', { cause })
  }
}

/** Reads bytes of a file. @throws UnreadableFileError */
export async function readFile(
  file: Blob,
  { offset, length }: Extent,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await file.slice(offset, offset + length).arrayBuffer())
  } catch (error) {
    throw new UnreadableFileError(error)
  }
}

const covers = (extents: readonly Extent[], { offset, length }: Extent) =>
  extents.some((each) => each.offset <= offset && offset + length <= each.offset + each.length)

/** A chunk's bytes; undefined if they are all zero. @param always also zeros are needed */
export async function readUnlessZero(
  file: Blob,
  extent: Extent,
  always = false,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const bytes = await readFile(file, extent)
  return !always && isZero(bytes) ? undefined : bytes
}

/** Number of bytes checked for zeros before the rest of a chunk. */
const FIRST = 16 * 1024

/** A chunk as a `Blob`, read by the browser while sending; undefined if it is all zero. */
export async function takeSlice(
  file: Blob,
  { offset, length }: Extent,
  always = false,
): Promise<Blob | undefined> {
  const first = { offset, length: Math.min(FIRST, length) }
  const isEmpty =
    !always &&
    !(await readUnlessZero(file, first)) &&
    !(await readUnlessZero(file, { offset, length }))
  return isEmpty ? undefined : file.slice(offset, offset + length)
}

type WriteChunks<Chunk> = {
  file: Blob
  /** Extents already on the disk. */
  written: readonly Extent[]
  chunkSize: number
  /** Whether the last chunk is written even if it is zero: it tells where an image ends. */
  marksEnd?: boolean
  take: (file: Blob, extent: Extent, always: boolean) => Promise<Chunk | undefined>
  write: (offset: number, chunk: Chunk, signal: AbortSignal) => Promise<void>
  /** Resolves when the next chunk may be taken. */
  turn: () => Promise<void>
  onProcessed: (bytes: number) => void
  signal: AbortSignal
}

/**
 * Sends a file in chunks, a few in parallel. A new disk is all zero, so chunks of zeros are
 * skipped. No chunk outlives its request, so memory use does not depend on the size of the file.
 * Settles when no request is in flight.
 */
export async function writeChunks<Chunk>(options: WriteChunks<Chunk>): Promise<void> {
  const {
    file,
    written,
    chunkSize,
    marksEnd = false,
    take,
    write,
    turn,
    onProcessed,
    signal,
  } = options
  const failed = new AbortController()
  const stop = AbortSignal.any([signal, failed.signal])
  let next = 0
  const one = async () => {
    const offset = next
    const length = Math.min(chunkSize, file.size - offset)
    next += length
    if (!covers(written, { offset, length })) {
      const isLast = offset + length === file.size
      const chunk = await take(file, { offset, length }, marksEnd && isLast)
      if (chunk) await write(offset, chunk, stop)
    }
    stop.throwIfAborted()
    onProcessed(length)
  }
  const worker = async () => {
    try {
      for (;;) {
        await turn()
        stop.throwIfAborted()
        if (next >= file.size) return
        await one()
      }
    } catch (error) {
      failed.abort(error)
      throw error
    }
  }
  await Promise.allSettled(Array.from({ length: PARALLEL }, worker))
  signal.throwIfAborted()
  if (failed.signal.aborted) throw failed.signal.reason
}
