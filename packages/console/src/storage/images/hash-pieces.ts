import { CHECKSUM_PIECE } from '@steading/api/rules'
import { Sha256 } from '@steading/api/sha256'
import { uint8ArrayToHex } from 'uint8array-extras'

const encoder = new TextEncoder()

/** Uses the browser's SHA-256, which exists only in secure contexts (HTTPS or localhost). */
async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const native = globalThis.crypto?.subtle as SubtleCrypto | undefined
  if (native) return uint8ArrayToHex(await native.digest('SHA-256', bytes))
  const sum = new Sha256()
  sum.update(bytes)
  return sum.digest()
}

/**
 * The checksum of a file as computed by `diskChecksum`: the SHA-256 of the SHA-256 of its pieces.
 */
export async function hashPieces(file: Blob): Promise<string> {
  let sums = ''
  for (let at = 0; at < file.size; at += CHECKSUM_PIECE) {
    sums += await sha256(new Uint8Array(await file.slice(at, at + CHECKSUM_PIECE).arrayBuffer()))
  }
  return sha256(encoder.encode(sums))
}
