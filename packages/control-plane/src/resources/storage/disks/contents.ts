import type { Context } from '../../../kernel/context.ts'
import { serveDownload } from '../../../kernel/download.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'

/** Bytes per read. */
export const READ_BYTES = 1024 * 1024
/** Reads of one reader at a time; it holds their bytes in memory. */
export const READS_AT_ONCE = 4

/** Something whose bytes can be read. */
export interface Contents {
  name: string
  size: number
  /** Id of a volume or a snapshot of the engine; undefined for all zeros. */
  volumeId: string | undefined
  /** A text that changes with the bytes; undefined while they may change at any time. */
  version: string | undefined
}

/** Reads the bytes of a range, piece by piece, and the next ones ahead of the reader. */
export async function* readPieces(
  { volumes }: Pick<ControlPlaneServices, 'volumes'>,
  { volumeId }: Pick<Contents, 'volumeId'>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  const ahead: Promise<Uint8Array>[] = []
  try {
    for (let at = start; at < end; at += READ_BYTES) {
      const length = Math.min(READ_BYTES, end - at)
      if (volumeId === undefined) {
        yield new Uint8Array(length)
        continue
      }
      const read = volumes.read(volumeId, at, length)
      // A failure is the reader's when its turn comes.
      read.catch(() => {})
      ahead.push(read)
      if (ahead.length === READS_AT_ONCE) yield await ahead.shift()!
    }
    while (ahead.length > 0) yield await ahead.shift()!
  } finally {
    await Promise.allSettled(ahead)
  }
}

/** The response for a download: all bytes, or the requested range. */
export const serveContents = (
  { http, services }: Pick<Context, 'http' | 'services'>,
  contents: Contents,
): Response =>
  serveDownload(http, {
    fileName: `${contents.name}.raw`,
    contentType: 'application/octet-stream',
    size: contents.size,
    version: contents.version,
    read: (start, end) => readPieces(services, contents, start, end),
  })
