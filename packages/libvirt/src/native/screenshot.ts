/** Pictures of screens, which libvirt sends on a stream. */
import type { Calls } from './connection.ts'

/** The largest picture: one of 8K takes 100 MB. Bytes. */
const PICTURE_MAX = 128 * 1024 * 1024
/** Bytes of one call; libvirt's own messages have at most 256 KiB. */
const PIECE_BYTES = 256 * 1024

/**
 * The present picture of the first screen of an active domain.
 * @returns its bytes, and their format as a MIME type
 * @throws LibvirtError
 */
export async function takeScreenshot(
  { connection, pointer, number, local }: Calls,
  domain: bigint,
): Promise<{ type: string; data: Uint8Array<ArrayBuffer> }> {
  const stream = await pointer('virStreamNew', connection, 0)
  try {
    const type = await pointer<string>('virDomainScreenshot', domain, stream, 0, 0)
    const pieces: Buffer[] = []
    let size = 0
    let finished = false
    try {
      for (;;) {
        // Memory that does not move while libvirt fills it, unlike that of small arrays.
        const piece = Buffer.allocUnsafeSlow(PIECE_BYTES)
        const length = await number('virStreamRecv', stream, piece, PIECE_BYTES)
        if (length === 0) break
        size += length
        if (size > PICTURE_MAX) throw new Error('the picture of the screen is too large')
        pieces.push(piece.subarray(0, length))
      }
      await number('virStreamFinish', stream)
      finished = true
    } finally {
      if (!finished) await number('virStreamAbort', stream).catch(() => {})
    }
    return { type, data: Buffer.concat(pieces, size) }
  } finally {
    local('virStreamFree', stream)
  }
}
