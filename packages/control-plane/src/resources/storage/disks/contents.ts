import type { Context } from '../../../kernel/context.ts'
import { serveDownload } from '../../../kernel/download.ts'
import type { ControlPlaneServices } from '../../../kernel/services.ts'

/** Bytes per read. */
const READ_BYTES = 1024 * 1024

/** Something whose bytes can be read. */
export interface Contents {
  name: string
  size: number
  /** Id of a volume or a snapshot of the engine; undefined for all zeros. */
  volumeId: string | undefined
  /** A text that changes with the bytes; undefined while they may change at any time. */
  version: string | undefined
}

/** Reads the bytes of a range, piece by piece. */
export async function* readPieces(
  { volumes }: Pick<ControlPlaneServices, 'volumes'>,
  { volumeId }: Pick<Contents, 'volumeId'>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; at += READ_BYTES) {
    const length = Math.min(READ_BYTES, end - at)
    yield volumeId === undefined ? new Uint8Array(length) : await volumes.read(volumeId, at, length)
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
