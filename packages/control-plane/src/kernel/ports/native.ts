import { Sha256 } from '@steading/api/sha256'
import { decodeBase64 } from './base64.ts'

/** A SHA-256 that is fed piece by piece. */
export interface Digest {
  update: (data: Uint8Array) => unknown
  /** Hexadecimal; nothing may follow. */
  digest: () => string
}

/** Work on many bytes, which hosts can do faster than this package itself. */
export interface Native {
  /** @throws Base64Error */
  decodeBase64: (text: string) => Uint8Array
  sha256: () => Digest
}

export const portable: Native = { decodeBase64, sha256: () => new Sha256() }
