import { Sha256 } from '@steading/api/sha256'
import { decodeBase64 } from './base64.ts'

/** A SHA-256 that is fed piece by piece. */
export interface Digest {
  update: (data: Uint8Array) => unknown
  /** The digest in hexadecimal. No update may follow. */
  digest: () => string
}

/** Work on many bytes that hosts can do faster than this package. */
export interface Native {
  /** @throws Base64Error */
  decodeBase64: (text: string) => Uint8Array
  sha256: () => Digest
  /** The SHA-256 of a text as UTF-8, in hexadecimal. */
  sha256Of: (text: string) => string
}

function sha256Of(text: string): string {
  const digest = new Sha256()
  digest.update(new TextEncoder().encode(text))
  return digest.digest()
}

export const portable: Native = { decodeBase64, sha256: () => new Sha256(), sha256Of }
