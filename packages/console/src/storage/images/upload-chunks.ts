import { IMPORT_CHUNK_MAX, isZero, MiB, RAW_CHUNK_MAX } from '@steading/api/rules'
import { isRefusedSize, ProxyLimitError } from './proxy-limit.ts'
import type { Extent } from './upload-state.ts'

export const CHUNK_SIZE = IMPORT_CHUNK_MAX
export const PARALLEL = 6
/** Sizes of chunks in bytes: smaller ones follow once a proxy has refused a larger one. */
const chunkSizes = [RAW_CHUNK_MAX, MiB, CHUNK_SIZE]
/**
 * Minimum size of files sent as raw bytes, which is several times faster, if the control plane
 * accepts that.
 */
const RAW_FROM = 64 * MiB

/** The size of the chunks: larger ones for large files, where raw bytes are accepted. */
export const chunkSizeOf = ({ size }: Blob, canSendRaw: boolean): number =>
  canSendRaw && size >= RAW_FROM ? RAW_CHUNK_MAX : CHUNK_SIZE

/** The largest size of chunks that no proxy has refused; the smallest is always tried again. */
const acceptedSize = (max: number): number =>
  chunkSizes.find((size) => size <= max && !isRefusedSize(size)) ?? CHUNK_SIZE

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

type WriteChunks = {
  file: Blob
  /** Extents already on the disk. */
  written: readonly Extent[]
  /** The largest size of a chunk. */
  chunkSize: number
  /** Whether the last chunk is written even if it is zero: it tells where an image ends. */
  marksEnd?: boolean
  /** Sends a chunk. @param always also if it is zero */
  write: (extent: Extent, always: boolean, signal: AbortSignal) => Promise<void>
  /** Resolves when the next chunk may be taken. */
  turn: () => Promise<void>
  onProcessed: (bytes: number) => void
  signal: AbortSignal
}

/**
 * Sends a file in chunks, a few in parallel, and in smaller ones once a proxy has refused their
 * size. A new disk is all zero, so chunks of zeros are skipped. No chunk outlives its request, so
 * memory use does not depend on the size of the file. Settles when no request is in flight.
 */
export async function writeChunks(options: WriteChunks): Promise<void> {
  const { file, written, chunkSize, marksEnd = false, write, turn, onProcessed, signal } = options
  const failed = new AbortController()
  const stop = AbortSignal.any([signal, failed.signal])
  let next = 0
  const send = async (extent: Extent): Promise<void> => {
    if (covers(written, extent)) return
    try {
      await write(extent, marksEnd && extent.offset + extent.length === file.size, stop)
    } catch (error) {
      const size = acceptedSize(chunkSize)
      if (!(error instanceof ProxyLimitError) || size >= extent.length) throw error
      const end = extent.offset + extent.length
      for (let offset = extent.offset; offset < end; offset += size) {
        await send({ offset, length: Math.min(size, end - offset) })
      }
    }
  }
  const one = async () => {
    const offset = next
    const length = Math.min(acceptedSize(chunkSize), file.size - offset)
    next += length
    await send({ offset, length })
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
